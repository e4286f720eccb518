package wordpiece

import (
	"strings"

	"dssdnet/internal/fault"
)

// Options of a tokenizer.
type Options struct {
	Cased       bool // keep capitals
	KeepAccents bool // keep accents; a cased tokenizer keeps them unless StripAccents is set
	// StripAccents takes accents away from cased text too.
	StripAccents bool
}

// Tokenizer is read-only: any number of goroutines may use it.
type Tokenizer struct {
	options Options
	vocab   Vocab
	index   map[string]int32
	start   *trie // tokens that start a word
	rest    *trie // tokens that go on with one, without their "##"
	glyphs  []glyph
	normal  normalizer

	pad, unk, cls, sep int32
}

// New makes a tokenizer of a vocabulary.
func New(v Vocab, o Options) (*Tokenizer, error) {
	t := &Tokenizer{options: o, vocab: v, index: v.index()}
	t.normal = normalizer{lower: !o.Cased, strip: o.StripAccents || !o.Cased && !o.KeepAccents}
	t.glyphs = table(t.normal)
	for token, number := range map[string]*int32{tokenPad: &t.pad, tokenUnk: &t.unk, tokenCLS: &t.cls, tokenSep: &t.sep} {
		n, ok := t.index[token]
		if !ok {
			return nil, fault.New(fault.Rejected, "there is no %s among the %d tokens: it is not the vocab.txt of a BERT model", token, len(v))
		}
		*number = n
	}
	start, rest := make(map[string]int32, len(v)), make(map[string]int32, len(v))
	for token, n := range t.index {
		if token == "" {
			continue
		}
		start[token] = n // a word can never hold "##" with more after it, so those entries do no harm
		if tail, ok := strings.CutPrefix(token, "##"); ok && tail != "" {
			rest[tail] = n
		}
	}
	t.start, t.rest = newTrie(start), newTrie(rest)
	return t, nil
}

// Size is the number of tokens of the vocabulary.
func (t *Tokenizer) Size() int { return len(t.vocab) }

// Vocab is the vocabulary; it must not be changed.
func (t *Tokenizer) Vocab() Vocab { return t.vocab }

// Options are those the tokenizer was made with.
func (t *Tokenizer) Options() Options { return t.options }

// Token is a token's text; "" for a number outside the vocabulary.
func (t *Tokenizer) Token(id int32) string {
	if id < 0 || int(id) >= len(t.vocab) {
		return ""
	}
	return t.vocab[id]
}

// Append appends the tokens of a text to ids, without special tokens.
func (t *Tokenizer) Append(ids []int32, text string) []int32 {
	split(t.normal, t.glyphs, text, func(word []byte, chars int) { ids = t.appendWord(ids, word, chars) })
	return ids
}

// appendWord takes the longest token again and again; a word with a piece that is none is [UNK] as a whole.
func (t *Tokenizer) appendWord(ids []int32, word []byte, chars int) []int32 {
	if chars > maxWord {
		return append(ids, t.unk)
	}
	before := len(ids)
	for tokens := t.start; len(word) > 0; tokens = t.rest {
		token, n := tokens.longest(word)
		if token < 0 {
			return append(ids[:before], t.unk)
		}
		ids = append(ids, token)
		word = word[n:]
	}
	return ids
}
