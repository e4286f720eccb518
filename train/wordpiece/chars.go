package wordpiece

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// kind says what the splitter does with a character.
type kind uint8

const (
	letter kind = iota // part of a word
	gap                // ends a word
	mark               // ends a word and is one itself: punctuation, a Chinese character
	drop               // nothing at all: a control character, an accent
	mapped             // stands for other text, see glyph
)

// glyph is a character after normalization. text and parts are set only for mapped.
type glyph struct {
	kind kind
	text string // of letters only, when parts is nil
	// parts are the characters that the text consists of when not all are letters.
	parts []glyph
}

// normalizer does what BertNormalizer and BertPreTokenizer do to one character. Context never matters.
type normalizer struct {
	lower, strip bool
}

func (n normalizer) glyph(r rune) glyph {
	switch {
	case r == 0 || r == utf8.RuneError || isControl(r):
		return glyph{kind: drop}
	case unicode.IsSpace(r):
		return glyph{kind: gap}
	}
	out := string(r)
	if n.strip {
		out = strings.Map(func(r rune) rune {
			if isAccent(r) {
				return -1
			}
			return r
		}, decompose(r))
	}
	if n.lower {
		out = lower(out)
	}
	if isChinese(r) {
		return glyph{kind: mapped, text: out, parts: []glyph{{kind: mark, text: out}}}
	}
	switch rest := []rune(out); {
	case len(rest) == 0:
		return glyph{kind: drop}
	case len(rest) == 1 && rest[0] == r:
		return glyph{kind: final(r)}
	default:
		g := glyph{kind: mapped, text: out}
		plain := true
		for _, r := range rest {
			g.parts = append(g.parts, glyph{kind: final(r), text: string(r)})
			plain = plain && final(r) == letter
		}
		if plain {
			g.parts = nil
		}
		return g
	}
}

// final is the kind of a character of normalized text.
func final(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return gap
	case isPunctuation(r):
		return mark
	}
	return letter
}

func decompose(r rune) string {
	if r == divesAkuruAUSign {
		return string(r)
	}
	return norm.NFD.String(string(r))
}

// lower maps every character by itself, fully: U+0130 becomes two characters.
func lower(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == 'İ' {
			b.WriteString("i̇")
			continue
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
