package index

import (
	"encoding/binary"
	"errors"

	"dssdnet/schemas"
)

// Fields of a Bluge document beside the configured ones.
const (
	FieldID     = "_id"     // patent id, stored and indexed
	FieldRecord = "_record" // a [Record], stored
)

// Content is the hash of everything of a patent that the index depends on.
type Content [16]byte

// Record is what is stored with a patent: what search needs to know of it beside its terms.
type Record struct {
	Content    Content
	Published  *schemas.Date // earliest publication
	Family     string        // "" when unknown
	Subclasses []string      // IPC, sorted
	Lengths    []uint32      // per field: number of terms, repetitions counted
}

// Append appends the stored form of r to dst:
//
//	content hash, 16 bytes
//	0, or 1 and the publication day as a zigzag varint
//	family, subclasses, each string as length and bytes; the subclasses after their number
//	number of fields, length of each
//
// All numbers are unsigned varints unless said otherwise.
func (r *Record) Append(dst []byte) []byte {
	dst = append(dst, r.Content[:]...)
	if r.Published == nil {
		dst = append(dst, 0)
	} else {
		dst = append(dst, 1)
		dst = binary.AppendVarint(dst, int64(*r.Published))
	}
	dst = appendString(dst, r.Family)
	dst = binary.AppendUvarint(dst, uint64(len(r.Subclasses)))
	for _, subclass := range r.Subclasses {
		dst = appendString(dst, subclass)
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.Lengths)))
	for _, length := range r.Lengths {
		dst = binary.AppendUvarint(dst, uint64(length))
	}
	return dst
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

var errRecord = errors.New("the stored record of a patent is damaged")

// recordReader reads a stored record piece by piece. The strings alias the record.
type recordReader struct {
	rest   []byte
	failed bool
}

func (r *recordReader) bytes(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *recordReader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.failed = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *recordReader) text() []byte { return r.bytes(r.number()) }

func (r *recordReader) date() (day schemas.Date, known bool) {
	if flag := r.bytes(1); len(flag) == 0 || flag[0] == 0 {
		return 0, false
	}
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.failed = true
		return 0, false
	}
	r.rest = r.rest[n:]
	return schemas.Date(v), true
}

func (r *recordReader) err() error {
	if r.failed || len(r.rest) > 0 {
		return errRecord
	}
	return nil
}

func (c Content) words() (low, high uint64) {
	return binary.LittleEndian.Uint64(c[:8]), binary.LittleEndian.Uint64(c[8:])
}
