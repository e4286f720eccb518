package patentxml

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
)

// textBuilder turns the text nodes of a section into the text of a column: words separated by single spaces, lines by
// single newlines, no space at either end. Words that OCR left hyphenated are joined. It is reused from section to
// section.
type textBuilder struct {
	buf     []byte
	limit   int
	gap     byte // what separates the next word from buf: 0, ' ' or '\n'
	joining bool // after a hyphen that OCR left: white space is swallowed
	full    bool // limit was reached; what follows is dropped
}

func (t *textBuilder) reset(limit int64) {
	t.buf = t.buf[:0]
	t.limit = int(limit)
	t.gap, t.joining, t.full = 0, false, false
}

// space ends the word.
func (t *textBuilder) space() {
	if t.gap == 0 && !t.joining && len(t.buf) > 0 {
		t.gap = ' '
	}
}

// line ends the line.
func (t *textBuilder) line() {
	t.joining = false
	if len(t.buf) > 0 {
		t.gap = '\n'
	}
}

// Classes of the bytes of a text.
const (
	wordByte  = iota
	blankByte // white space, and the controls that decode leaves only as white space
	leadByte  // may begin a character that is white space, a soft hyphen or a not sign
)

var textClass = func() (t [256]byte) {
	for c := range 0x21 {
		t[c] = blankByte
	}
	// U+0085 U+00A0 U+00AC U+00AD; U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F; U+3000
	t[0xc2], t[0xe1], t[0xe2], t[0xe3] = leadByte, leadByte, leadByte, leadByte
	return t
}()

const (
	softHyphen = '\u00ad'
	notSign    = '\u00ac' // what OCR makes of a hyphen at the end of a line
)

// write appends text. Pieces may end anywhere between two characters.
func (t *textBuilder) write(b []byte) {
	for len(b) > 0 && !t.full {
		n := 1
		switch textClass[b[0]] {
		case blankByte:
			t.space()
		case leadByte:
			n = t.character(b)
		default:
			t.separate()
			n = t.words(b)
		}
		b = b[n:]
		if len(t.buf) > t.limit {
			t.full = true
			t.buf = trimRight(cutAtWord(t.buf[:t.limit]))
		}
	}
}

// character takes one character of several bytes and returns their number.
func (t *textBuilder) character(b []byte) int {
	r, n := utf8.DecodeRune(b)
	switch {
	case r == softHyphen || r == notSign && t.afterLetter():
		t.joining = true
	case unicode.IsSpace(r):
		t.space()
	default:
		t.separate()
		t.buf = append(t.buf, b[:n]...)
	}
	return n
}

// afterLetter tells whether a not sign would stand directly behind a letter, where it is a hyphen.
func (t *textBuilder) afterLetter() bool {
	if t.gap != 0 || t.joining {
		return false
	}
	r, _ := utf8.DecodeLastRune(t.buf)
	return unicode.IsLetter(r)
}

// separate begins a word.
func (t *textBuilder) separate() {
	if t.gap != 0 {
		t.buf = append(t.buf, t.gap)
		t.gap = 0
	}
	t.joining = false
}

// words appends the words at the beginning of b that have one white space byte between two, and returns how many bytes
// it took; b begins with a word byte. Where the text is ASCII it goes eight bytes at a time.
func (t *textBuilder) words(b []byte) int {
	t.buf = slices.Grow(t.buf, len(b))
	out := t.buf[len(t.buf) : len(t.buf)+len(b)]
	i, afterGap := 0, false
	for {
		i, afterGap = plainWords(out, b, i, afterGap)
		end := min(i+8, len(b))
		for ; i < end; i++ {
			class := textClass[b[i]]
			if class == leadByte || class == blankByte && afterGap {
				break
			}
			out[i] = b[i]
			if afterGap = class == blankByte; afterGap {
				out[i] = ' '
			}
		}
		if i < end || i == len(b) {
			break
		}
	}
	t.buf = t.buf[:len(t.buf)+i]
	if afterGap {
		t.buf = t.buf[:len(t.buf)-1]
		t.gap = ' '
	}
	return i
}

// plainWords copies b[i:] to out[i:], white space as spaces, up to the first eight bytes that are not all ASCII or have
// two white space bytes together. afterGap tells whether the byte before is white space.
func plainWords(out, b []byte, i int, afterGap bool) (end int, gapAtEnd bool) {
	before := uint64(0)
	if afterGap {
		before = 1 << 7
	}
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		gaps := lanesBelow(x, ' '+1)
		if x&highBits|gaps&(gaps<<8|before) != 0 {
			break
		}
		whole := gaps >> 7 * 0xff // all bits of the lanes
		binary.LittleEndian.PutUint64(out[i:], x&^whole|lanes*' '&whole)
		before = gaps >> 63 << 7
	}
	return i, before != 0
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}
