package publish

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
)

// directory reads the table of contents of a zip one entry at a time. archive/zip and its relatives load all of it,
// some 350 bytes for each member: a gigabyte for a zip of the whole collection.
//
// It follows APPNOTE.TXT 6.3: end record, zip64 end record, central headers, local headers; stored and deflated members.
type directory struct {
	r       io.ReaderAt
	size    int64
	base    int64 // of all offsets: not 0 when something stands before the archive
	entries *bufio.Reader
	packed  *bufio.Reader // of the member that is open
	inflate io.ReadCloser
}

// entry is one member.
type entry struct {
	name         string
	method       uint16
	flags        uint16
	crc          uint32
	packed, size uint64
	offset       uint64 // of the local header
}

func (e entry) folder() bool { return strings.HasSuffix(e.name, "/") }

const (
	endRecordLen     = 22
	locatorLen       = 20
	zip64RecordLen   = 56
	centralHeaderLen = 46
	localHeaderLen   = 30

	stored, deflated = 0, 8
	flagEncrypted    = 1
)

var errZip = &failure{classCorrupt, "the zip archive is damaged or incomplete: its table of contents, at its end, cannot be read; get it again"}

func readDirectory(r io.ReaderAt, size int64) (*directory, error) {
	end, at, err := endRecord(r, size)
	if err != nil {
		return nil, err
	}
	length, offset := int64(binary.LittleEndian.Uint32(end[12:])), int64(binary.LittleEndian.Uint32(end[16:]))
	if length == 1<<32-1 || offset == 1<<32-1 || binary.LittleEndian.Uint16(end[10:]) == 1<<16-1 {
		if length64, offset64, at64, ok := zip64Record(r, at); ok {
			length, offset, at = length64, offset64, at64
		}
	}
	if length < 0 || offset < 0 || length > at {
		return nil, errZip
	}
	return &directory{r: r, size: size, base: at - length - offset, entries: bufio.NewReader(io.NewSectionReader(r, at-length, length))}, nil
}

// endRecord finds the end of the central directory: the last thing in the file but for a comment of up to 64 KiB.
func endRecord(r io.ReaderAt, size int64) (record []byte, at int64, err error) {
	tail := make([]byte, min(size, endRecordLen+1<<16))
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, 0, err
	}
	for i := len(tail) - endRecordLen; i >= 0; i-- {
		if bytes.HasPrefix(tail[i:], []byte("PK\x05\x06")) && int(binary.LittleEndian.Uint16(tail[i+20:])) <= len(tail)-i-endRecordLen {
			return tail[i : i+endRecordLen], size - int64(len(tail)-i), nil
		}
	}
	return nil, 0, errZip
}

// zip64Record finds the record that large archives have before the end record at the given place.
func zip64Record(r io.ReaderAt, end int64) (length, offset, at int64, ok bool) {
	locator := make([]byte, locatorLen)
	if _, err := r.ReadAt(locator, end-locatorLen); err != nil || !bytes.HasPrefix(locator, []byte("PK\x06\x07")) {
		return 0, 0, 0, false
	}
	record := make([]byte, zip64RecordLen)
	// The second place is where it lies when something stands before the archive.
	for _, at := range []int64{int64(binary.LittleEndian.Uint64(locator[8:])), end - locatorLen - zip64RecordLen} {
		if _, err := r.ReadAt(record, at); err == nil && bytes.HasPrefix(record, []byte("PK\x06\x06")) {
			return int64(binary.LittleEndian.Uint64(record[40:])), int64(binary.LittleEndian.Uint64(record[48:])), at, true
		}
	}
	return 0, 0, 0, false
}

// next returns the next member, or io.EOF.
func (d *directory) next() (entry, error) {
	var h [centralHeaderLen]byte
	if n, err := io.ReadFull(d.entries, h[:]); err == io.EOF {
		return entry{}, io.EOF
	} else if err != nil || n < centralHeaderLen || !bytes.HasPrefix(h[:], []byte("PK\x01\x02")) {
		return entry{}, errZip
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	e := entry{flags: u16(h[8:]), method: u16(h[10:]), crc: u32(h[16:]), packed: uint64(u32(h[20:])), size: uint64(u32(h[24:])), offset: uint64(u32(h[42:]))}
	nameLen, extraLen := int(u16(h[28:])), int(u16(h[30:]))
	rest := make([]byte, nameLen+extraLen)
	if _, err := io.ReadFull(d.entries, rest); err != nil {
		return entry{}, errZip
	}
	if _, err := d.entries.Discard(int(u16(h[32:]))); err != nil { // the comment
		return entry{}, errZip
	}
	e.name = memberName(rest[:nameLen])
	e.zip64(rest[nameLen:])
	return e, nil
}

// zip64 replaces the sizes that do not fit into 32 bits by those of the extra field.
func (e *entry) zip64(extra []byte) {
	for len(extra) >= 4 {
		tag, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		if tag == 1 {
			field := extra[:n]
			for _, v := range []*uint64{&e.size, &e.packed, &e.offset} {
				if *v == 1<<32-1 && len(field) >= 8 {
					*v, field = binary.LittleEndian.Uint64(field), field[8:]
				}
			}
			return
		}
		extra = extra[n:]
	}
}

// memberName has slashes, whatever the system that made the archive, and no leading ones.
func memberName(raw []byte) string {
	return strings.TrimLeft(strings.TrimPrefix(strings.ReplaceAll(string(raw), `\`, "/"), "./"), "/")
}

// open returns the unpacked bytes of a member. They end with an error when their checksum is wrong. The reader of the
// member before becomes invalid.
func (d *directory) open(e entry) (io.Reader, error) {
	if e.flags&flagEncrypted != 0 {
		return nil, failf(classEncrypted, "the archive member is encrypted: unpack it with its password")
	}
	h := make([]byte, localHeaderLen)
	at := d.base + int64(e.offset)
	if e.offset > uint64(d.size) {
		return nil, errZip
	}
	if _, err := d.r.ReadAt(h, at); err != nil || !bytes.HasPrefix(h, []byte("PK\x03\x04")) {
		return nil, failf(classCorrupt, "the archive member is damaged: its header is not where the table of contents says; get the archive again")
	}
	at += localHeaderLen + int64(binary.LittleEndian.Uint16(h[26:])) + int64(binary.LittleEndian.Uint16(h[28:]))
	if e.packed > uint64(d.size-min(at, d.size)) {
		return nil, failf(classTruncated, "the archive member is longer than the archive: get the archive again")
	}
	if d.packed == nil {
		d.packed = bufio.NewReaderSize(nil, bufferBytes)
	}
	d.packed.Reset(io.NewSectionReader(d.r, at, int64(e.packed)))
	switch e.method {
	case stored:
		return &checked{r: d.packed, want: e}, nil
	case deflated:
		if d.inflate == nil {
			d.inflate = flate.NewReader(d.packed)
		} else if err := d.inflate.(flate.Resetter).Reset(d.packed, nil); err != nil {
			return nil, err
		}
		return &checked{r: d.inflate, want: e}, nil
	}
	return nil, failf(classUnsupported, "the archive member is compressed by method %d, only stored (0) and deflated (8) can be read: pack it again", e.method)
}

// checked compares a member with the size and checksum that the table of contents gives.
type checked struct {
	r    io.Reader
	want entry
	sum  hash.Hash32
	n    uint64
}

func (c *checked) Read(p []byte) (int, error) {
	if c.sum == nil {
		c.sum = crc32.NewIEEE()
	}
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	c.n += uint64(n)
	if err == io.EOF && (c.n != c.want.size || c.sum.Sum32() != c.want.crc) {
		return n, failf(classCorrupt, "the archive member is damaged: its checksum or size is wrong; get the archive again")
	}
	return n, err
}
