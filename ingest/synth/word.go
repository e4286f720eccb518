package synth

import (
	"unicode"
	"unicode/utf8"
)

// appendWord writes a made-up word of a language: syllables, then perhaps an ending. The same h gives the same
// word.
func (l *language) appendWord(b []byte, h uint64, syllables int) []byte {
	take := func(parts []string) string {
		n := uint64(len(parts))
		part := parts[h%n]
		h /= n
		return part
	}
	for i := range syllables {
		b = append(b, take(l.onsets)...)
		b = append(b, take(l.nuclei)...)
		if i == syllables-1 || h%3 == 0 {
			b = append(b, take(l.codas)...)
		}
	}
	if h%8 < 5 {
		b = append(b, take(l.endings)...)
	}
	return b
}

// noun is a word with the capital that German gives nouns.
func (l *language) noun(h uint64, syllables int) string {
	word := l.appendWord(nil, h, syllables)
	if l.nouns {
		return capital(string(word))
	}
	return string(word)
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
