package patentxml

import "bytes"

// clean squeezes the white space of a short value: an id, a name, a date. The result may be a part of b.
func clean(b []byte) []byte {
	b = bytes.TrimSpace(b)
	for i := 1; i < len(b); i++ {
		if c := b[i]; c >= 0x80 || c < ' ' || c == ' ' && b[i-1] == ' ' {
			return bytes.Join(bytes.Fields(b), []byte{' '})
		}
	}
	return b
}
