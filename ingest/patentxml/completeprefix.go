package patentxml

import (
	"bytes"
	"unicode/utf8"
)

// maxReferenceBytes is the longest reference looked for: &CounterClockwiseContourIntegral; has 33 bytes.
const maxReferenceBytes = 64

// completePrefix returns the length of the longest beginning of b after which the open elements may be closed: it
// ends neither inside markup or a reference nor, where the text has white space, inside a word.
func completePrefix(b []byte) int {
	pos := 0
	for {
		i := bytes.IndexByte(b[pos:], '<')
		if i < 0 {
			break
		}
		n := markupEnd(b[pos+i:])
		if n < 0 {
			return pos + i
		}
		pos += i + n
	}
	text := b[pos:]
	if i := bytes.LastIndexByte(text, '&'); i >= 0 && len(text)-i <= maxReferenceBytes && bytes.IndexByte(text[i:], ';') < 0 {
		text = text[:i]
	}
	return pos + len(cutAtWord(text))
}

// cutAtWord shortens text to its last white space or, where it has none, to its last whole character.
func cutAtWord(text []byte) []byte {
	if i := bytes.LastIndexAny(text, " \n\t\r"); i >= 0 {
		return text[:i+1]
	}
	return wholeCharacters(text)
}

// wholeCharacters leaves out the beginning of a UTF-8 character at the end of b.
func wholeCharacters(b []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}
