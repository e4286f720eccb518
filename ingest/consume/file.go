package consume

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/schemas"
)

// Keys of the metadata of a documents file beside those of package chain.
const (
	metaRecords     = "kafka.records"
	metaDeadLetters = "kafka.dead_letters"
	metaUnchanged   = "kafka.unchanged"
	metaMissing     = "kafka.missing"
)

// Letters wait to be written together up to these limits.
const (
	maxLetters     = 100
	maxLetterBytes = 4 << 20
)

// file is the file of a partition that is being written: rows, letters and counts of the offsets from first to last.
type file struct {
	owner    *owner
	writer   *chain.Writer[schemas.Document]
	rowGroup int64 // bytes of XML in a row group

	first, last int64 // last is first-1 while the file covers nothing
	lastTime    time.Time
	born        time.Time // when it got its first record
	counts      tally

	newest  map[uint64]version // of the documents in this file
	group   int64              // bytes of XML in the open row group
	letters []deadletter.Letter
	waiting int64 // bytes of letters
	row     [1]schemas.Document
}

func (o *owner) begin(first int64) *file {
	return &file{owner: o, rowGroup: o.rowGroup, first: first, last: first - 1,
		newest: make(map[uint64]version), counts: tally{reasons: make(map[string]int64)}}
}

func (f *file) empty() bool { return f.last < f.first }

func (f *file) full() bool {
	c := f.owner.run.config
	return f.counts.xmlBytes >= int64(c.FileBytes) || f.counts.records >= int64(c.FileRecords)
}

// add covers one more record.
func (f *file) add(ctx context.Context, t *task) error {
	f.cover(t.record.Offset)
	f.lastTime = t.record.Time
	if cluster.Marker(t.record) {
		return nil
	}
	f.counts.records++
	f.counts.xmlBytes += int64(len(t.record.Value))
	if t.rejection != nil {
		return f.reject(ctx, t)
	}
	v := versionOf(t.row.UCID, t.row.DateProduced, t.row.Source.Timestamp, t.sha256)
	same, err := f.unchanged(v)
	if err != nil {
		return err
	}
	if same {
		f.counts.unchanged++
		return nil
	}
	return f.write(t, v)
}

// cover moves the end of the file to an offset. Offsets in between are not in the topic any more.
func (f *file) cover(offset int64) {
	if f.empty() {
		f.born = time.Now()
	}
	if gap := offset - f.last - 1; gap > 0 {
		f.counts.missing += gap
		f.owner.run.member.Warn("the topic has no records any more at some offsets: they expired, were deleted, or compacted",
			"topic", f.owner.source.Topic, "partition", f.owner.source.Partition, "first", f.last+1, "last", offset-1)
	}
	f.last = offset
}

// skip covers the offsets before next, at which the topic has nothing any more.
func (f *file) skip(next int64) {
	f.cover(next)
	f.last, f.lastTime = next-1, time.Time{}
}

// unchanged reports whether the newest row of the document has the same content.
func (f *file) unchanged(v version) (bool, error) {
	newest, known, err := f.owner.run.versions.newest(v.key)
	if err != nil {
		return false, err
	}
	if mine, ok := f.newest[v.key]; ok && (!known || mine.order >= newest.order) {
		newest, known = mine, true
	}
	return known && newest.hash == v.hash, nil
}

func (f *file) write(t *task, v version) error {
	if err := f.open(); err != nil {
		return err
	}
	f.row[0] = *t.row
	if err := f.writer.Write(f.row[:]); err != nil {
		return err
	}
	f.row[0] = schemas.Document{}
	f.counts.documents++
	if mine, ok := f.newest[v.key]; !ok || v.order >= mine.order {
		f.newest[v.key] = v
	}
	f.group += int64(len(t.record.Value))
	if f.group < f.rowGroup {
		return nil
	}
	f.group = 0
	if f.writer.Exists() {
		return fmt.Errorf("%s from offset %d: %w", f.owner.source, f.first, chain.ErrTaken)
	}
	return f.writer.Flush()
}

func (f *file) open() (err error) {
	if f.writer == nil {
		f.writer, err = f.owner.run.folder.Create(f.owner.source, f.first)
	}
	return err
}

func (f *file) reject(ctx context.Context, t *task) error {
	m, r := t.record, t.rejection
	f.counts.reasons[r.Reason]++
	f.letters = append(f.letters, deadletter.Letter{
		Stage: deadletter.StageParse, Class: r.Reason, Message: r.Error(), Excerpt: r.Excerpt,
		Path: header(m.Headers, schemas.HeaderPath), Range: header(m.Headers, schemas.HeaderRange), SHA256: t.sha256,
		Topic: m.Topic, Partition: m.Partition, Offset: m.Offset, Time: m.Time, Key: m.Key, Value: m.Value, Headers: m.Headers,
	})
	f.waiting += int64(len(m.Value))
	if len(f.letters) < maxLetters && f.waiting < maxLetterBytes {
		return nil
	}
	return f.send(ctx)
}

// send writes the letters that wait. It tries until ctx ends: without them the file must not be published.
func (f *file) send(ctx context.Context) error {
	if len(f.letters) == 0 {
		return nil
	}
	r := f.owner.run
	err := r.member.Retry(ctx, "write dead letters", func(ctx context.Context) error { return r.letters.Write(ctx, f.letters...) })
	if err != nil {
		return err
	}
	clear(f.letters)
	f.letters, f.waiting = f.letters[:0], 0
	return nil
}

// publish puts the file into the chain, after its letters. The error is chain.ErrTaken when another owner was faster.
// After an error nothing of the file is left.
func (f *file) publish(ctx context.Context) error {
	defer f.discard()
	if err := f.send(ctx); err != nil {
		return err
	}
	if err := f.open(); err != nil {
		return err
	}
	size, err := f.writer.Publish(chain.End{Last: f.last, LastTime: f.lastTime, Metadata: map[string]string{
		metaRecords:     strconv.FormatInt(f.counts.records, 10),
		metaDeadLetters: strconv.FormatInt(f.counts.dead(), 10),
		metaUnchanged:   strconv.FormatInt(f.counts.unchanged, 10),
		metaMissing:     strconv.FormatInt(f.counts.missing, 10),
	}})
	if err != nil {
		return err
	}
	s := f.owner.source
	f.owner.run.ledger.add(s.Partition, f.first, f.last, &f.counts, size)
	f.owner.run.report(&f.counts, size)
	name := chain.Name{Topic: s.Topic, Partition: s.Partition, First: f.first}
	return f.owner.run.versions.publish(name, slices.Collect(maps.Values(f.newest)))
}

func (f *file) discard() {
	if f.writer != nil {
		f.writer.Discard()
	}
}
