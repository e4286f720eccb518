package sampler

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// textStore keeps the titles and abstracts that the output needs in a temporary file, each once. In memory a text
// takes the 24 bytes of its place, and each patent of the library 4. write and the readers are safe for concurrent
// use.
type textStore struct {
	f      *os.File
	size   atomic.Int64
	topics []textRef // by topic
	docs   []textRef // by slot
	slots  []uint32  // by patent: slot + 1, 0 when its text is not needed
}

// textRef is where a text lies, and its lengths.
type textRef struct {
	at              int64
	title, abstract uint32 // bytes
	words, tokens   uint32
}

func (r textRef) bytes() int64 { return int64(r.title) + int64(r.abstract) }

func newTextStore(temp string) (*textStore, error) {
	f, err := os.CreateTemp(temp, "texts-")
	if err != nil {
		return nil, err
	}
	return &textStore{f: f}, nil
}

func (s *textStore) write(title, abstract string) (textRef, error) {
	title, abstract = strings.ToValidUTF8(title, "\uFFFD"), strings.ToValidUTF8(abstract, "\uFFFD")
	n := int64(len(title) + len(abstract))
	ref := textRef{at: s.size.Add(n) - n, title: uint32(len(title)), abstract: uint32(len(abstract))}
	ref.words, ref.tokens = measure(title)
	words, tokens := measure(abstract)
	ref.words, ref.tokens = ref.words+words, ref.tokens+tokens
	if _, err := s.f.WriteAt([]byte(title+abstract), ref.at); err != nil {
		return textRef{}, fmt.Errorf("write texts to a temporary file: %w", err)
	}
	return ref, nil
}

func (s *textStore) read(ref textRef) (title, abstract string, err error) {
	buf := make([]byte, ref.bytes())
	if _, err := s.f.ReadAt(buf, ref.at); err != nil {
		return "", "", fmt.Errorf("read texts from the temporary file: %w", err)
	}
	both := string(buf)
	return both[:ref.title], both[ref.title:], nil
}

// need asks for the text of a patent.
func (s *textStore) need(patent uint32) {
	if s.slots[patent] == 0 {
		s.docs = append(s.docs, textRef{})
		s.slots[patent] = uint32(len(s.docs))
	}
}

// doc is the text of a patent that was needed.
func (s *textStore) doc(patent uint32) textRef { return s.docs[s.slots[patent]-1] }

func (s *textStore) close() { _ = s.f.Close() }

// measure counts the words of a text, what stands between spaces, and its tokens, what BERT's basic tokenizer makes
// of it: runs of letters and digits, and every punctuation mark and Chinese character by itself. WordPiece cuts the
// rarer of these into pieces, so a model sees as many tokens or more.
func measure(text string) (words, tokens uint32) {
	inWord, inToken := false, false
	for _, r := range text {
		switch kindOf(r) {
		case space:
			inWord, inToken = false, false
			continue
		case single:
			tokens++
			inToken = false
		default:
			if !inToken {
				tokens++
				inToken = true
			}
		}
		if !inWord {
			words++
			inWord = true
		}
	}
	return words, tokens
}

// kind is what a character does to the tokens around it.
type kind uint8

const (
	part   kind = iota // of a longer token
	space              // ends a token
	single             // is a token by itself
)

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		return ascii[r]
	}
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsPunct(r), unicode.Is(unicode.Han, r):
		return single
	}
	return part
}

// ascii are the kinds of the characters below 128. Every sign that is no letter, digit or space is punctuation to BERT.
var ascii = func() (kinds [utf8.RuneSelf]kind) {
	for r := range rune(utf8.RuneSelf) {
		switch {
		case unicode.IsSpace(r):
			kinds[r] = space
		case r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r):
			kinds[r] = single
		}
	}
	return kinds
}()
