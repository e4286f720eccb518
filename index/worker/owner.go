package worker

import (
	"context"
	"time"

	"dssdnet/internal/chain"
	"dssdnet/internal/member"
)

// owner draws the pools of one partition while the partition is this worker's.
type owner struct {
	run       *run
	partition *member.Partition
	records   *member.Stream
	known     map[string]bool // topics that have a pool, or get one of the batch
}

// Own implements [member.Stage].
func (r *run) Own(ctx context.Context, p *member.Partition, at chain.Position) error {
	known, err := r.known(p.Source)
	if err != nil {
		return err
	}
	records, err := p.Open(ctx, at)
	if err != nil {
		return err
	}
	defer records.Close()
	o := &owner{run: r, partition: p, records: records, known: known}
	for next := at.Next; ; {
		b := newBatch(next)
		if err := o.collect(ctx, b); err != nil {
			return err
		}
		if err := o.publish(ctx, b); err != nil {
			return err
		}
		next = b.last + 1
		if done := p.Published(next); done {
			return nil
		}
	}
}

// collect reads records until the batch is full, old enough or reaches the goal. It returns with at least one offset
// covered.
func (o *owner) collect(ctx context.Context, b *batch) error {
	end, bounded := o.partition.End()
	aging, expire := context.WithCancel(ctx)
	defer expire()
	var age *time.Timer
	for len(b.topics) < o.run.config.FileTopics && (!bounded || b.last+1 < end) {
		m, gap, err := o.records.Read(aging)
		switch {
		case err != nil && aging.Err() != nil && ctx.Err() == nil:
			return nil // old enough
		case err != nil:
			return err
		case gap > 0:
			b.skip(gap)
		default:
			b.add(m, o.known)
		}
		if age == nil {
			age = time.AfterFunc(o.run.config.FileAge, expire)
			defer age.Stop()
		}
	}
	return nil
}
