package analysis

import (
	"unicode"
	"unicode/utf8"
)

// maxWordBytes is the length above which a word is left out: gene sequences and broken tables, not words.
const maxWordBytes = 128

// shape is what a word is made of.
type shape uint8

const (
	hasLetter shape = 1 << iota
	hasDigit
)

// fold appends the word in lower case to dst, the apostrophe always U+0027 and a possessive ending cut off, and
// says what it is made of.
func fold(dst []byte, word string) ([]byte, shape) {
	var made shape
	start := len(dst)
	for i := 0; i < len(word); {
		c := word[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(word[i:])
			i += size
			switch {
			case r == '’' || r == '‘' || r == '＇':
				dst = append(dst, '\'')
				continue
			case unicode.IsLetter(r):
				made |= hasLetter
			case unicode.IsNumber(r):
				made |= hasDigit
			}
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
			continue
		case 'a' <= c && c <= 'z':
			made |= hasLetter
		case 'A' <= c && c <= 'Z':
			made |= hasLetter
			c += 'a' - 'A'
		case '0' <= c && c <= '9':
			made |= hasDigit
		}
		dst = append(dst, c)
		i++
	}
	switch n := len(dst); {
	case n-start > 2 && dst[n-1] == 's' && dst[n-2] == '\'':
		dst = dst[:n-2]
	case n-start > 1 && dst[n-1] == '\'':
		dst = dst[:n-1]
	}
	return dst, made
}
