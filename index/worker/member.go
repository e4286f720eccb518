package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

// join takes part in the consumer group until ctx ends. Whatever partitions the group gives this worker get an owner.
func (r *run) join(ctx context.Context) error {
	dialer, err := r.config.Cluster.Dialer()
	if err != nil {
		return err
	}
	group, err := kafka.NewConsumerGroup(kafka.ConsumerGroupConfig{
		ID: r.config.group(), Brokers: r.config.Cluster.Brokers, Dialer: dialer, Topics: []string{r.config.FromTopic},
		GroupBalancers:        []kafka.GroupBalancer{kafka.RangeGroupBalancer{}},
		StartOffset:           kafka.FirstOffset,
		WatchPartitionChanges: true,
		SessionTimeout:        r.config.SessionTimeout,
		HeartbeatInterval:     min(r.config.SessionTimeout/4, 3*time.Second),
		RebalanceTimeout:      max(r.config.SessionTimeout, 10*time.Second),
		JoinGroupBackoff:      r.pace.backoff,
	})
	if err != nil {
		return fmt.Errorf("join consumer group %s: %w", r.config.group(), err)
	}
	var owners sync.WaitGroup
	defer func() {
		owners.Wait() // the owners' last commits need the group
		_ = group.Close()
	}()
	for {
		generation, err := group.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case hopeless(err):
			return fmt.Errorf("%w (--group, --session-timeout)", r.config.Cluster.Explain("join consumer group "+r.config.group(), err))
		case errors.Is(err, kafka.RebalanceInProgress):
		case err != nil:
			r.calm.warn("cannot join the consumer group, trying again", "group", r.config.group(), "error", err)
		default:
			r.serve(ctx, generation, &owners)
		}
	}
}

// serve starts the owners of one generation of the group. They end with it.
func (r *run) serve(ctx context.Context, generation *kafka.Generation, owners *sync.WaitGroup) {
	for _, a := range generation.Assignments[r.config.FromTopic] {
		o := &owner{run: r, source: r.source(a.ID)}
		o.commit = func(next int64) {
			if next == 0 {
				return
			}
			err := generation.CommitOffsets(map[string]map[int]int64{r.config.FromTopic: {a.ID: next}})
			if err != nil {
				r.log.Debug("offset not committed", "partition", a.ID, "offset", next, "error", err)
			}
		}
		owners.Add(1)
		generation.Start(func(over context.Context) {
			working, cancel := context.WithCancel(ctx)
			stop := context.AfterFunc(over, cancel)
			err := o.work(working)
			stop()
			cancel()
			if err != nil {
				r.fail(err)
			}
			owners.Done()
			<-over.Done() // returning would end the generation for all partitions
		})
	}
}
