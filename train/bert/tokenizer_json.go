package bert

import (
	"bytes"
	"encoding/json"

	"dssdnet/train/wordpiece"
)

// fastFile is the tokenizer in the form that Hugging Face's "fast" tokenizers read.
const fastFile = "tokenizer.json"

// maxWordChars is the length above which WordPiece makes a word unknown, of every BERT.
const maxWordChars = 100

// object spells JSON objects out in place.
type object map[string]any

// fastTokenizer is the content of tokenizer.json: BertNormalizer, BertPreTokenizer, WordPiece, and the frame of
// special tokens.
func fastTokenizer(t *wordpiece.Tokenizer) ([]byte, error) {
	o, vocab := t.Options(), t.Vocab()
	var strip any // null: as lowercase says
	if o.StripAccents || o.KeepAccents {
		strip = o.StripAccents
	}
	number := map[string]int{}
	for i, token := range vocab {
		number[token] = i // of a token that stands twice the last counts
	}
	var added []object
	for i, token := range vocab {
		switch token {
		case "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]":
			if number[token] == i {
				added = append(added, object{
					"id": i, "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true,
				})
			}
		}
	}
	special := func(token string, segment int) object {
		return object{"SpecialToken": object{"id": token, "type_id": segment}}
	}
	sequence := func(name string, segment int) object {
		return object{"Sequence": object{"id": name, "type_id": segment}}
	}
	frame := func(token string) object {
		return object{"id": token, "ids": []int{number[token]}, "tokens": []string{token}}
	}
	single := []object{special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)}
	content := object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer": object{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": strip, "lowercase": !o.Cased,
		},
		"pre_tokenizer": object{"type": "BertPreTokenizer"},
		"post_processor": object{
			"type": "TemplateProcessing", "single": single, "pair": append(single[:3:3], sequence("B", 1), special("[SEP]", 1)),
			"special_tokens": object{"[CLS]": frame("[CLS]"), "[SEP]": frame("[SEP]")},
		},
		"decoder": object{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": object{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": maxWordChars,
			"vocab": number,
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // tokens such as "<" are read by people too
	e.SetIndent("", " ")
	err := e.Encode(content)
	return b.Bytes(), err
}
