package member

import (
	"context"
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
)

// Partition is a partition of the topic while it is this member's.
type Partition struct {
	Source   chain.Source
	Assigned int // partitions that this member was given with it, itself counted

	member     *Member
	generation *kafka.Generation
}

// own has the stage make files until ctx ends or the goal is reached, which are no errors.
func (p *Partition) own(ctx context.Context) error {
	for {
		err := p.follow(ctx)
		switch {
		case errors.Is(err, chain.ErrTaken):
			p.member.config.Log.Info("another member published the same records first, going on after them",
				"topic", p.Source.Topic, "partition", p.Source.Partition, "error", err)
		case ctx.Err() != nil && errors.Is(err, context.Canceled):
			return nil
		default:
			return err
		}
	}
}

// follow goes on where the files end.
func (p *Partition) follow(ctx context.Context) error {
	at, err := p.member.files.Recover(p.Source)
	if err != nil {
		return err
	}
	if done := p.Published(at.Next); done {
		return nil
	}
	return p.member.stage.Own(ctx, p, at)
}

// End is the offset at which a bounded run is done with the partition. bounded is false in a run without an end.
func (p *Partition) End() (offset int64, bounded bool) { return p.member.goal.end(p.Source.Partition) }

// Published says that the files of the partition reach up to next, and reports whether its end is reached. It tells
// Kafka: a hint, which may get lost.
func (p *Partition) Published(next int64) (done bool) {
	if next > 0 {
		topic, partition := p.Source.Topic, p.Source.Partition
		err := p.generation.CommitOffsets(map[string]map[int]int64{topic: {partition: next}})
		if err != nil {
			p.member.config.Log.Debug("offset not committed", "partition", partition, "offset", next, "error", err)
		}
	}
	return p.member.goal.pass(p.Source.Partition, next)
}

// Open begins to read the partition at at.Next, where its files end. It waits for a broker that is away, and refuses a
// topic that the files were not made from. Close the stream.
func (p *Partition) Open(ctx context.Context, at chain.Position) (*Stream, error) {
	m := p.member
	var holds cluster.Span
	err := m.Retry(ctx, "ask Kafka what the partition holds", func(ctx context.Context) error {
		spans, err := cluster.Spans(ctx, m.config.Cluster, p.Source.Topic)
		if err != nil {
			return err
		}
		span, ok := spans[p.Source.Partition]
		if !ok {
			return fmt.Errorf("%s does not exist", p.Source)
		}
		holds = span
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := m.files.Check(p.Source, at, holds); err != nil {
		return nil, err
	}
	return newStream(p, at, holds)
}
