package bert

import (
	"encoding/json"
	"path/filepath"

	"dssdnet/internal/durable"
	"dssdnet/train/wordpiece"
)

// SaveTokenizer writes the files that Hugging Face, and LoadTokenizer, read a tokenizer from.
func SaveTokenizer(dir string, t *wordpiece.Tokenizer, maxTokens int) error {
	f, err := durable.Create(filepath.Join(dir, VocabFile))
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := t.Vocab().WriteTo(f); err != nil {
		return err
	}
	if err := f.Replace(); err != nil {
		return err
	}
	o := t.Options()
	lower := !o.Cased
	c := tokenizerConfig{Lower: &lower, Class: "BertTokenizer", MaxLength: maxTokens}
	if o.StripAccents || o.KeepAccents {
		strip := o.StripAccents
		c.StripAccents = &strip
	}
	special := map[string]string{"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]"}
	for name, v := range map[string]any{TokenizerFile: c, "special_tokens_map.json": special} {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		if err := durable.WriteFile(filepath.Join(dir, name), append(data, '\n')); err != nil {
			return err
		}
	}
	fast, err := fastTokenizer(t)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, fastFile), fast)
}
