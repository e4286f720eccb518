package consume

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/patentxml"
	"dssdnet/schemas"
)

// reasonPanic is the reason code of a document on which the parser broke down.
const reasonPanic = "panic"

// parser turns one document into a row. The error is a *patentxml.Rejection. One goroutine uses it.
type parser interface {
	Parse(raw []byte, cutFrom int64) (*schemas.Document, error)
}

// patentParser makes the parsers of a run.
func patentParser(c Config) func() parser {
	limits := patentxml.Limits{DocumentBytes: int64(c.MaxDocumentBytes), FieldBytes: int64(c.MaxFieldBytes)}
	return func() parser { return patentxml.NewParser(limits) }
}

// task is one record on its way, or a gap. Whoever made it may read the results once done is closed.
type task struct {
	record kafka.Message
	gap    int64 // not 0: no record, but the topic has none any more before this offset
	weight int64 // what it takes of the bytes in flight
	done   chan struct{}

	row       *schemas.Document // nil when the record was rejected
	rejection *patentxml.Rejection
	sha256    string
}

func gapTo(offset int64) *task { return &task{gap: offset, done: make(chan struct{})} }

// workers parse tasks. The order in which they finish is not that in which they were given.
type workers struct {
	tasks chan *task
	group sync.WaitGroup
}

func startWorkers(n int, newParser func() parser) *workers {
	w := &workers{tasks: make(chan *task, n)}
	for range n {
		w.group.Go(func() {
			p := newParser()
			for t := range w.tasks {
				if !t.parse(p) {
					p = newParser() // it may have been left in any state
				}
				close(t.done)
			}
		})
	}
	return w
}

// start has a task parsed. It waits while all workers are busy, and gives up when ctx ends.
func (w *workers) start(ctx context.Context, t *task) error {
	select {
	case w.tasks <- t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop ends the workers when they have parsed what they were given. No start may follow.
func (w *workers) stop() {
	close(w.tasks)
	w.group.Wait()
}

// parse fills in the results. It returns false when the parser panicked.
func (t *task) parse(p parser) (sane bool) {
	defer func() {
		if broken := recover(); broken != nil {
			t.row = nil
			t.rejection = &patentxml.Rejection{Reason: reasonPanic, Excerpt: beginning(t.record.Value),
				Message: fmt.Sprintf("the parser broke down: %v; this is a defect of dssdnet", broken)}
		}
	}()
	raw := t.record.Value
	t.sha256 = contentHash(t.record.Headers, raw)
	row, err := p.Parse(raw, cutFrom(t.record.Headers))
	if err != nil {
		t.rejection = rejectionOf(err, raw)
		return true
	}
	row.Source = t.source()
	t.row = row
	return true
}

func rejectionOf(err error, raw []byte) *patentxml.Rejection {
	var r *patentxml.Rejection
	if errors.As(err, &r) {
		return r
	}
	return &patentxml.Rejection{Reason: "unreadable", Message: err.Error(), Excerpt: beginning(raw)}
}

func (t *task) source() schemas.Source {
	m := t.record
	s := schemas.Source{
		Topic: m.Topic, Partition: int32(m.Partition), Offset: m.Offset, Timestamp: m.Time.UnixMicro(),
		Path: header(m.Headers, schemas.HeaderPath), SHA256: t.sha256,
	}
	s.ByteStart, s.ByteEnd = byteRange(header(m.Headers, schemas.HeaderRange), int64(len(m.Value)))
	return s
}

// contentHash is what the publisher says, or the hash of the value when it says nothing.
func contentHash(headers []kafka.Header, value []byte) string {
	if h := header(headers, schemas.HeaderSHA256); len(h) == 2*sha256.Size && isHex(h) {
		return strings.ToLower(h)
	}
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:])
}

func isHex(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f') && (r < 'A' || r > 'F')
	}) < 0
}

// byteRange reads "start-end". Without it the document is a file of its own.
func byteRange(text string, length int64) (start, end int64) {
	a, b, ok := strings.Cut(text, "-")
	start, errA := strconv.ParseInt(a, 10, 64)
	end, errB := strconv.ParseInt(b, 10, 64)
	if !ok || errA != nil || errB != nil {
		return 0, length
	}
	return start, end
}

// cutFrom is the length of the document of which the value is the beginning, or 0 when the value is the document.
func cutFrom(headers []kafka.Header) int64 {
	n, err := strconv.ParseInt(header(headers, schemas.HeaderCutFrom), 10, 64)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// header returns the last value of a header, as Kafka clients do, or "".
func header(headers []kafka.Header, key string) string {
	for i := len(headers) - 1; i >= 0; i-- {
		if headers[i].Key == key {
			return string(headers[i].Value)
		}
	}
	return ""
}

// beginning is an excerpt for when no place is known.
func beginning(raw []byte) string {
	return string(bytes.ToValidUTF8(raw[:min(len(raw), 160)], nil))
}
