package wordpiece

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"dssdnet/internal/fault"
)

// The special tokens that every vocabulary must have.
const (
	tokenPad = "[PAD]"
	tokenUnk = "[UNK]"
	tokenCLS = "[CLS]"
	tokenSep = "[SEP]"
)

// Vocab is the tokens by number.
type Vocab []string

// ReadVocab reads a vocab.txt: one token a line, the first is number 0.
func ReadVocab(r io.Reader) (Vocab, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSuffix(data, []byte("\n"))
	var v Vocab
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		v = append(v, string(bytes.TrimSuffix(line, []byte("\r"))))
	}
	return v, nil
}

// Load reads a vocab.txt and makes a tokenizer of it.
func Load(path string, o Options) (*Tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the vocabulary: %w", err)
	}
	defer f.Close()
	v, err := ReadVocab(f)
	if err != nil {
		return nil, fmt.Errorf("read the vocabulary %s: %w", path, err)
	}
	t, err := New(v, o)
	if err != nil {
		return nil, fault.New(fault.KindOf(err), "vocabulary %s: %w", path, err)
	}
	return t, nil
}

// WriteTo writes the vocabulary as a vocab.txt.
func (v Vocab) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	for _, token := range v {
		b.WriteString(token)
		b.WriteByte('\n')
	}
	return b.WriteTo(w)
}

// index numbers the tokens. Of a token that stands twice the last counts, as in a Python dict.
func (v Vocab) index() map[string]int32 {
	m := make(map[string]int32, len(v))
	for i, token := range v {
		m[token] = int32(i)
	}
	return m
}
