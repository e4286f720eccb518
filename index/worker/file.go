package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/index/pool"
	"dssdnet/index/search"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
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
	if cluster.Marker(m) {
		return
	}
	b.records++
	topic, rejected := decode(m)
	switch {
	case rejected != nil:
		b.letters = append(b.letters, deadletter.Letter{
			Stage: deadletter.StageSearch, Class: rejected.reason, Message: rejected.message, Excerpt: excerpt(m.Value),
			Topic: m.Topic, Partition: m.Partition, Offset: m.Offset, Time: m.Time, Key: m.Key, Value: m.Value, Headers: m.Headers,
		})
	case known[topic.TopicID]:
		b.repeated++
	default:
		known[topic.TopicID] = true
		b.topics = append(b.topics, topic)
	}
}

func excerpt(value []byte) string {
	return string(bytes.ToValidUTF8(value[:min(len(value), 160)], nil))
}

// skip covers the offsets before next, at which the topic has nothing any more.
func (b *batch) skip(next int64) { b.last, b.lastTime = next-1, time.Time{} }

// publish draws the pools of the batch and puts their file into the chain, after the dead letters. The error is
// chain.ErrTaken when another worker was faster; then nothing of the file is left.
func (o *owner) publish(ctx context.Context, b *batch) error {
	r := o.run
	// Without its letters the file must not be published.
	err := r.member.Retry(ctx, "write dead letters", func(ctx context.Context) error { return r.letters.Write(ctx, b.letters...) })
	if err != nil {
		return err
	}
	w, err := r.folder.Create(o.partition.Source, b.first)
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
		r.member.Working()
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

func (r *run) readFooter(path string, known map[string]bool) error {
	footer, err := chain.ReadFooter(path, schemas.Pools)
	if err != nil {
		return err
	}
	if build := footer.Metadata[metaBuild]; build != r.ix.Name() {
		return fault.New(fault.Rejected, "pool %s was begun with the index build %q (%s), the current one is %s: finish it with that build, or choose another --pool",
			r.config.Pool, build, path, r.ix.Name())
	}
	if settings := footer.Metadata[metaSettings]; settings != r.settings {
		return fault.New(fault.Rejected, "pool %s was begun with the settings %s (%s), not with %s: use those, or choose another --pool",
			r.config.Pool, settings, path, r.settings)
	}
	return pool.ParseQueries(footer.Metadata[pool.MetaQueries], func(q pool.Query) error {
		known[q.TopicID] = true
		return nil
	})
}
