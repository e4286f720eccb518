package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/patentxml"
	"dssdnet/schemas"
)

// document is a record in the making. It owns its value.
type document struct {
	path       string
	start, end int64 // in the file or member at path
	patentID   string
	value      []byte
	sum        [sha256.Size]byte
	cut        bool // value is only the beginning of [start, end)
}

// newDocument copies and hashes a piece.
func newDocument(path string, p patentxml.Piece) document {
	return document{
		path: path, start: p.Start, end: p.End, patentID: p.PatentID,
		value: append([]byte(nil), p.Bytes...), sum: sha256.Sum256(p.Bytes), cut: p.Cut,
	}
}

// key sends all documents of a patent to one partition.
func (d document) key() string {
	if d.patentID != "" {
		return d.patentID
	}
	return d.path
}

func (d document) span() string {
	return strconv.FormatInt(d.start, 10) + "-" + strconv.FormatInt(d.end, 10)
}

func (d document) headers() []kafka.Header {
	h := []kafka.Header{
		{Key: schemas.HeaderVersion, Value: []byte(schemas.RecordVersion)},
		{Key: schemas.HeaderPath, Value: []byte(d.path)},
		{Key: schemas.HeaderRange, Value: []byte(d.span())},
		{Key: schemas.HeaderSHA256, Value: []byte(d.hash())},
	}
	if d.cut {
		h = append(h, kafka.Header{Key: schemas.HeaderCutFrom, Value: []byte(strconv.FormatInt(d.end-d.start, 10))})
	}
	return h
}

func (d document) hash() string { return hex.EncodeToString(d.sum[:]) }

// recordOverhead is what a record takes in a batch beside its key, path and value: headers and framing.
const recordOverhead = 300

// size is what the document takes in a batch.
func (d document) size() int { return len(d.value) + len(d.key()) + len(d.path) + recordOverhead }

// records hands a batch to the Kafka client. A new one is needed for each attempt.
type records struct {
	batch []document
	next  kafka.Record
}

func (r *records) ReadRecord() (*kafka.Record, error) {
	if len(r.batch) == 0 {
		return nil, io.EOF
	}
	d := r.batch[0]
	r.batch = r.batch[1:]
	r.next = kafka.Record{Key: kafka.NewBytes([]byte(d.key())), Value: kafka.NewBytes(d.value), Headers: d.headers()}
	return &r.next, nil
}
