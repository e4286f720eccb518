package bert

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
	"dssdnet/train/wordpiece"
)

// The files of a tokenizer in a model's folder.
const (
	VocabFile     = "vocab.txt"
	TokenizerFile = "tokenizer_config.json"
)

// unusedRows is how many rows a table of word embeddings may have beyond the vocabulary: models round it up.
const unusedRows = 256

type tokenizerConfig struct {
	Lower        *bool  `json:"do_lower_case"`
	StripAccents *bool  `json:"strip_accents"`
	Class        string `json:"tokenizer_class,omitempty"`
	MaxLength    int    `json:"model_max_length,omitempty"`
}

// LoadTokenizer reads the tokenizer of a model's folder and checks that its vocabulary fits the encoder's.
func LoadTokenizer(dir string, c Config) (*wordpiece.Tokenizer, error) {
	o, err := tokenizerOptions(filepath.Join(dir, TokenizerFile))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, VocabFile)
	t, err := wordpiece.Load(path, o)
	if err != nil {
		return nil, err
	}
	if n := t.Size(); n > c.VocabSize || n < c.VocabSize-unusedRows {
		return nil, fault.New(fault.Rejected, "%s has %d tokens and the weights are for %d: they do not belong together", path, n, c.VocabSize)
	}
	return t, nil
}

func tokenizerOptions(path string) (wordpiece.Options, error) {
	var c tokenizerConfig
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return wordpiece.Options{}, nil // uncased is what Hugging Face assumes
	}
	if err != nil {
		return wordpiece.Options{}, fmt.Errorf("read the tokenizer: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return wordpiece.Options{}, fault.New(fault.Rejected, "%s: %w", path, err)
	}
	o := wordpiece.Options{Cased: c.Lower != nil && !*c.Lower}
	if c.StripAccents != nil {
		o.StripAccents, o.KeepAccents = *c.StripAccents, !*c.StripAccents
	}
	return o, nil
}
