package patentxml

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

var (
	bomUTF8    = []byte("\xef\xbb\xbf")
	bomUTF16LE = []byte("\xff\xfe")
	bomUTF16BE = []byte("\xfe\xff")
)

// utf16Of recognises UTF-16 by its byte order mark, or by the zero bytes of an unmarked "<?" or "<p". nil: not UTF-16.
func utf16Of(raw []byte) encoding.Encoding {
	switch {
	case bytes.HasPrefix(raw, bomUTF16LE), len(raw) >= 4 && raw[0] == '<' && raw[1] == 0 && raw[2] != 0 && raw[3] == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(raw, bomUTF16BE), len(raw) >= 4 && raw[0] == 0 && raw[1] == '<' && raw[2] == 0 && raw[3] != 0:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return nil
}

// decode returns the document as UTF-8 without a byte order mark and without characters that XML forbids: those become
// spaces. The result is part of raw where nothing had to change; raw itself is never written.
func decode(raw []byte, w *warnings) ([]byte, *Rejection) {
	if enc := utf16Of(raw); enc != nil {
		text, err := enc.NewDecoder().Bytes(raw)
		if err != nil {
			return nil, &Rejection{Reason: ReasonEncoding, Message: fmt.Sprintf("the document is no valid UTF-16: %v", err)}
		}
		return withoutControls(text, w), nil
	}
	text := bytes.TrimPrefix(raw, bomUTF8)
	label := brief(declaredEncoding(text))
	enc, known := encodingOf(label)
	switch {
	case enc != nil:
		decoded, err := enc.NewDecoder().Bytes(text)
		if err != nil {
			return nil, &Rejection{Reason: ReasonEncoding, Message: fmt.Sprintf("the document is not in its declared encoding %s: %v", label, err)}
		}
		text = decoded
	case utf8.Valid(text):
		if !known {
			w.add("unknown encoding %q declared; the document is valid UTF-8 and was read so", label)
		}
	case !known:
		return nil, rejectAt(ReasonEncoding, fmt.Sprintf("unknown encoding %q declared and the document is no valid UTF-8", label), text, 0)
	default:
		repaired, n := repairUTF8(text)
		w.add("encoding repaired: %d bytes that are no UTF-8 were read as windows-1252", n)
		text = repaired
	}
	return withoutControls(text, w), nil
}

// declaredEncoding returns the encoding of the XML declaration at the beginning of text, "" without one.
func declaredEncoding(text []byte) string {
	if !isDeclaration(text) {
		return ""
	}
	end := bytes.Index(text, piEnd)
	if end < 0 {
		return ""
	}
	_, after, ok := bytes.Cut(text[:end], []byte("encoding"))
	if !ok {
		return ""
	}
	after = bytes.TrimLeft(after, " \n\t\r=")
	if len(after) < 2 || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(after[1:], after[:1])
	if !ok {
		return ""
	}
	return string(label)
}

// encodingOf returns the decoder of a declared label. It is nil for UTF-8, for no label and for labels that cannot be
// true of a declaration that was readable byte by byte (UTF-16); known is false for names that nobody registered.
// ISO-8859-1 and US-ASCII are read as windows-1252, as browsers do: the codes that differ are control characters.
func encodingOf(label string) (enc encoding.Encoding, known bool) {
	if label == "" {
		return nil, true
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return nil, false
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "utf-8", "utf-16le", "utf-16be":
		return nil, true
	case "replacement", "x-user-defined":
		return nil, false
	}
	return enc, true
}

// repairUTF8 keeps what is valid UTF-8 and reads each other byte as windows-1252: right for undeclared Latin-1 as well
// as for UTF-8 with a few foreign bytes.
func repairUTF8(text []byte) (repaired []byte, foreign int) {
	repaired = make([]byte, 0, len(text)+len(text)/8)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = charmap.Windows1252.DecodeByte(text[0])
			foreign++
		}
		repaired = utf8.AppendRune(repaired, r)
		text = text[n:]
	}
	return repaired, foreign
}

// withoutControls replaces the characters that XML 1.0 forbids by spaces, byte by byte so that offsets stay. It copies
// text only when it finds one.
func withoutControls(text []byte, w *warnings) []byte {
	copied := false
	replace := func(i, n int) {
		if !copied {
			text, copied = bytes.Clone(text), true
		}
		for j := range n {
			text[i+j] = ' '
		}
		w.controls++
	}
	for i := nextControl(text, 0); i < len(text); i = nextControl(text, i+1) {
		replace(i, 1)
	}
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("\xef\xbf")) // U+FFC0 to U+FFFF: the last two are no characters
		if n < 0 {
			return text
		}
		i += n
		if i+2 < len(text) && text[i+2] >= 0xbe {
			replace(i, 3)
		}
		i += 2
	}
}

// nextControl returns the place of the next byte below space that is no white space, len(text) when there is none.
func nextControl(text []byte, i int) int {
	for i < len(text) {
		if i+8 <= len(text) {
			x := binary.LittleEndian.Uint64(text[i:])
			if lanesBelow(x, ' ')&^lanesEqual(x, '\n') == 0 {
				i += 8
				continue
			}
		}
		for end := min(i+8, len(text)); i < end; i++ {
			if c := text[i]; c < ' ' && c != '\n' && c != '\t' && c != '\r' {
				return i
			}
		}
	}
	return len(text)
}

// isXMLChar tells whether XML 1.0 allows r in a document.
func isXMLChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xd7ff ||
		r >= 0xe000 && r <= 0xfffd ||
		r >= 0x10000 && r <= utf8.MaxRune
}
