package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/segmentio/kafka-go"

	"dssdnet/index/pool"
	"dssdnet/index/search"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// Keys of the metadata of a file beside those of package chain and pool.MetaQueries.
const (
	metaBuild       = "index.build"
	metaSettings    = "index.settings"
	metaDeadLetters = "kafka.dead_letters"
)

// batch is the records of a partition that become one file.
type batch struct {
	first, last int64 // offsets; last is first-1 while the batch is empty
	lastTime    time.Time
	topics      []*schemas.Topic
	letters     []deadletter.Letter
	records     int64
	repeated    int64 // records of topics that have a pool already
}

func newBatch(first int64) *batch { return &batch{first: first, last: first - 1} }

// add covers one more record. known are the topics that have a pool; the batch's own are put into it.
func (b *batch) add(m kafka.Message, known map[string]bool) {
	b.last, b.lastTime = m.Offset, m.Time
	if marker(m) {
		return
	}
	b.records++
	topic, rejected := decode(m)
	switch {
	case rejected != nil:
		b.letters = append(b.letters, deadletter.Letter{
			Stage: deadLetterStage, Class: rejected.reason, Message: rejected.message, Excerpt: excerpt(m.Value),
			Topic: m.Topic, Partition: m.Partition, Offset: m.Offset, Time: m.Time, Key: m.Key, Value: m.Value, Headers: m.Headers,
		})
	case known[topic.TopicID]:
		b.repeated++
	default:
		known[topic.TopicID] = true
		b.topics = append(b.topics, topic)
	}
}

// deadLetterStage is the stage in the dead letters of records that are no query.
const deadLetterStage = "search"

func excerpt(value []byte) string {
	return string(bytes.ToValidUTF8(value[:min(len(value), 160)], nil))
}

// marker reports whether a record is none, but the end of a transaction of the producer, which the client shows as a
// record: a key of version 0 and type abort or commit, a value of version and epoch.
func marker(m kafka.Message) bool {
	return len(m.Headers) == 0 && len(m.Value) == 6 && len(m.Key) == 4 &&
		m.Key[0] == 0 && m.Key[1] == 0 && m.Key[2] == 0 && m.Key[3] <= 1
}

// publish draws the pools of the batch and puts their file into the chain, after the dead letters. The error is
// chain.ErrTaken when another worker was faster; then nothing of the file is left.
func (o *owner) publish(ctx context.Context, b *batch) error {
	r := o.run
	if err := r.send(ctx, b.letters); err != nil {
		return err
	}
	w, err := r.folder.Create(o.source, b.first)
	if err != nil {
		return err
	}
	defer w.Discard()
	var lines bytes.Buffer
	var rows int64
	topics := func(yield func(*schemas.Topic) error) error {
		for _, topic := range b.topics {
			if err := yield(topic); err != nil {
				return err
			}
		}
		return nil
	}
	err = search.RankAll(ctx, r.ix, r.config.Config, r.config.workers(), topics, func(ranked *search.Ranked) error {
		line, err := json.Marshal(ranked.Query)
		if err != nil {
			return err
		}
		lines.Write(append(line, '\n'))
		rows += int64(len(ranked.Candidates))
		r.task.Add(1)
		return w.Write(ranked.Candidates)
	})
	if err != nil {
		return err
	}
	_, err = w.Publish(chain.End{Last: b.last, LastTime: b.lastTime, Metadata: map[string]string{
		metaBuild: r.ix.Name(), metaSettings: r.settings, pool.MetaQueries: lines.String(),
		metaDeadLetters: fmt.Sprint(len(b.letters)),
	}})
	if err != nil {
		return err
	}
	r.ledger.add(b, rows)
	return nil
}

// send writes dead letters. It tries until ctx ends: without them the file must not be published.
func (r *run) send(ctx context.Context, letters []deadletter.Letter) error {
	for {
		err := r.letters.Write(ctx, letters...)
		if err == nil || hopeless(err) || ctx.Err() != nil {
			return err
		}
		r.calm.warn("cannot write dead letters, trying again", "error", err)
		if !pause(ctx, r.pace.backoff) {
			return ctx.Err()
		}
	}
}

// known returns the topics that have a pool in the files of a partition. It refuses files of another index build or of
// other settings.
func (r *run) known(s chain.Source) (map[string]bool, error) {
	names, err := chain.List(r.folder.Dir())
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool)
	for _, n := range names {
		if n.Topic != s.Topic || n.Partition != s.Partition {
			continue
		}
		if err := r.readFooter(n.Path(r.folder.Dir()), known); err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (r *run) readFooter(path string, known map[string]bool) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if build, _ := file.Lookup(metaBuild); build != r.ix.Name() {
		return fault.New(fault.Rejected, "pool %s was begun with the index build %q (%s), the current one is %s: finish it with that build, or choose another --pool",
			r.config.Pool, build, path, r.ix.Name())
	}
	if settings, _ := file.Lookup(metaSettings); settings != r.settings {
		return fault.New(fault.Rejected, "pool %s was begun with the settings %s (%s), not with %s: use those, or choose another --pool",
			r.config.Pool, settings, path, r.settings)
	}
	return pool.QueriesOf(file, func(q pool.Query) error {
		known[q.TopicID] = true
		return nil
	})
}
