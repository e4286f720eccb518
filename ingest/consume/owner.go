package consume

import (
	"context"
	"errors"
	"sync"
	"time"

	"dssdnet/internal/chain"
	"dssdnet/internal/member"
)

// queueDepth is how many records of a partition may be on their way to its file. Their bytes are bounded by
// Config.InFlightBytes long before, unless they are tiny.
const queueDepth = 1024

// maxRowGroup is the XML in a row group at most: larger ones gain nothing.
const maxRowGroup = 64 << 20

// owner turns the records of one partition into files while the partition is this member's.
type owner struct {
	run       *run
	partition *member.Partition
	source    chain.Source
	rowGroup  int64 // bytes of XML in a row group
}

// Own implements [member.Stage]. It publishes what is open before it returns.
func (r *run) Own(ctx context.Context, p *member.Partition, at chain.Position) error {
	rows, err := r.versions.load(ctx) // after the chain was read, so that it has all of its files
	if err != nil {
		return err
	}
	r.log.Debug("read the versions of documents that other runs have written", "rows", rows)
	records, err := p.Open(ctx, at)
	if err != nil {
		return err
	}
	defer records.Close()
	o := &owner{run: r, partition: p, source: p.Source, rowGroup: min(int64(r.config.RowGroupBytes)/int64(p.Assigned), maxRowGroup)}
	return o.pipe(ctx, records, at.Next)
}

// pipe runs the two ends of the partition: feed reads records and has them parsed, drain takes them in order and writes
// them.
func (o *owner) pipe(ctx context.Context, records *member.Stream, next int64) error {
	feeding, stop := context.WithCancel(ctx)
	queue := make(chan *task, queueDepth)
	var feeder sync.WaitGroup
	var fed error
	feeder.Go(func() {
		defer close(queue)
		fed = o.feed(feeding, records, queue)
	})
	err := o.drain(ctx, next, queue)
	stop()
	for t := range queue {
		<-t.done
		o.run.inFlight.Release(t.weight)
	}
	feeder.Wait()
	if err == nil {
		err = fed
	}
	return err
}

// feed puts the records of the partition into the queue. It returns nil when the goal is reached.
func (o *owner) feed(ctx context.Context, records *member.Stream, queue chan<- *task) error {
	goal, bounded := o.partition.End()
	for !bounded || records.Next() < goal {
		m, gap, err := records.Read(ctx)
		if err != nil {
			return err
		}
		var t *task
		switch {
		case gap > 0:
			t = gapTo(gap)
		case bounded && m.Offset >= goal:
			t = gapTo(goal)
		default:
			t = o.run.newTask(m)
		}
		if err := o.put(ctx, queue, t); err != nil {
			return err
		}
	}
	return nil
}

// put queues a task and has it parsed. The queue must not overtake the parsing, so that the next in the queue is
// always one that will be done.
func (o *owner) put(ctx context.Context, queue chan<- *task, t *task) error {
	if err := o.run.inFlight.Acquire(ctx, t.weight); err != nil {
		return err
	}
	select {
	case queue <- t:
	case <-ctx.Done():
		o.run.inFlight.Release(t.weight)
		return ctx.Err()
	}
	if t.gap > 0 {
		close(t.done)
		return nil
	}
	if err := o.run.workers.start(ctx, t); err != nil {
		close(t.done) // without a result: the drain sees that it was abandoned
		return err
	}
	return nil
}

// drain writes files until the queue is closed or ctx ends, and publishes the last one. What the queue still holds then
// is left there.
func (o *owner) drain(ctx context.Context, next int64, queue <-chan *task) error {
	f := o.begin(next)
	defer func() { f.discard() }()
	age := time.NewTimer(time.Hour)
	defer age.Stop()
	publish := func() error {
		if f.empty() {
			return nil
		}
		if err := o.publish(ctx, f); err != nil {
			return err
		}
		f = o.begin(f.last + 1)
		return nil
	}
	for {
		select {
		case <-ctx.Done():
			return publish()
		case <-age.C:
			if err := publish(); err != nil {
				return err
			}
		case t, more := <-queue:
			if !more {
				return publish()
			}
			<-t.done
			fresh := f.empty()
			err := o.take(ctx, f, t)
			o.run.inFlight.Release(t.weight)
			if ctx.Err() != nil && errors.Is(err, context.Canceled) {
				return publish() // letters could not be sent any more: publish tries once more
			}
			if err != nil {
				return err
			}
			if f.full() {
				if err := publish(); err != nil {
					return err
				}
			} else if fresh {
				age.Reset(o.run.config.FileAge)
			}
		}
	}
}

func (o *owner) take(ctx context.Context, f *file, t *task) error {
	switch {
	case t.gap > 0:
		f.skip(t.gap)
		return nil
	case t.row == nil && t.rejection == nil:
		return nil // abandoned: ctx has ended
	}
	o.run.progress.Add(1)
	return f.add(ctx, t)
}

func (o *owner) publish(ctx context.Context, f *file) error {
	if ctx.Err() != nil {
		// Publishing is safe even for an owner that is none any more, and saves the work.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.run.pace.grace)
		defer cancel()
		if err := f.send(grace); err != nil {
			o.run.log.Warn("the last records are dropped and will be read again, for their dead letters cannot be written",
				"topic", o.source.Topic, "partition", o.source.Partition, "from", f.first, "error", err)
			f.discard()
			return ctx.Err()
		}
	}
	if err := f.publish(ctx); err != nil {
		return err
	}
	o.partition.Published(f.last + 1)
	return nil
}
