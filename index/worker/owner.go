package worker

import (
	"context"
	"errors"
	"time"

	"dssdnet/internal/chain"
)

// owner draws the pools of one partition while the partition is this worker's.
type owner struct {
	run    *run
	source chain.Source
	commit func(next int64) // tells Kafka how far the files reach: a hint, which may get lost
}

// work goes on until ctx ends or the goal is reached, which are no errors.
func (o *owner) work(ctx context.Context) error {
	for {
		err := o.follow(ctx)
		switch {
		case errors.Is(err, chain.ErrTaken):
			o.run.log.Info("another worker drew the same pools first, going on after them", "partition", o.source.Partition)
		case ctx.Err() != nil && errors.Is(err, context.Canceled):
			return nil
		default:
			return err
		}
	}
}

// follow goes on where the chain ends.
func (o *owner) follow(ctx context.Context) error {
	r := o.run
	at, err := r.folder.Recover(o.source)
	if err != nil {
		return err
	}
	known, err := r.known(o.source)
	if err != nil {
		return err
	}
	o.commit(at.Next)
	if r.goal.pass(o.source.Partition, at.Next) {
		return nil
	}
	holds, err := r.holds(ctx, o.source)
	if err != nil {
		return err
	}
	if err := r.folder.Check(o.source, at, holds); err != nil {
		return err
	}
	records, err := r.openStream(o.source, max(at.Next, holds.First))
	if err != nil {
		return err
	}
	defer records.close()
	next := at.Next
	for {
		b := newBatch(next)
		if records.next > next { // the topic does not hold the offsets before any more
			b.last = records.next - 1
		}
		if err := o.collect(ctx, records, b, known); err != nil {
			return err
		}
		if err := o.publish(ctx, b); err != nil {
			return err
		}
		next = b.last + 1
		o.commit(next)
		if r.goal.pass(o.source.Partition, next) {
			return nil
		}
	}
}

// collect reads records until the batch is full, old enough or reaches the goal. It returns with at least one offset
// covered.
func (o *owner) collect(ctx context.Context, records *stream, b *batch, known map[string]bool) error {
	r := o.run
	end, bounded := r.goal.end(o.source.Partition)
	due := time.Time{}
	for len(b.topics) < r.config.FileTopics && (!bounded || b.last+1 < end) {
		patience := r.pace.quiet
		if !due.IsZero() {
			patience = time.Until(due)
		}
		m, err := records.read(ctx, patience)
		switch {
		case errors.Is(err, errQuiet) && !due.IsZero():
			return nil
		case errors.Is(err, errQuiet):
			first, err := records.examine(ctx)
			if err != nil {
				return err
			}
			if first > 0 {
				b.last, b.lastTime = first-1, time.Time{}
				return nil
			}
		case err != nil:
			return err
		default:
			b.add(m, known)
			if due.IsZero() {
				due = time.Now().Add(r.config.FileAge)
			}
		}
	}
	return nil
}
