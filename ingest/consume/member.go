package consume

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

// maxRowGroup is the XML in a row group at most: larger ones gain nothing.
const maxRowGroup = 64 << 20

// join takes part in the consumer group until ctx ends. Whatever partitions the group gives this member get an owner.
func (r *run) join(ctx context.Context) error {
	var lines lines
	dialer, err := lines.dialer(r.config.Cluster)
	if err != nil {
		return err
	}
	group, err := kafka.NewConsumerGroup(kafka.ConsumerGroupConfig{
		ID: r.config.Group, Brokers: r.config.Cluster.Brokers, Dialer: dialer, Topics: []string{r.config.Topic},
		GroupBalancers:        []kafka.GroupBalancer{kafka.RangeGroupBalancer{}},
		StartOffset:           kafka.FirstOffset,
		WatchPartitionChanges: true, PartitionWatchInterval: r.pace.added,
		SessionTimeout:    r.config.SessionTimeout,
		HeartbeatInterval: min(r.config.SessionTimeout/4, 3*time.Second),
		RebalanceTimeout:  max(r.config.SessionTimeout, 10*time.Second),
		JoinGroupBackoff:  r.pace.backoff,
	})
	if err != nil {
		return fmt.Errorf("join consumer group %s: %w", r.config.Group, err)
	}
	var owners sync.WaitGroup
	defer func() {
		owners.Wait() // the owners' last commits need the group
		lines.end(group.Close, time.Second)
	}()
	for {
		generation, err := group.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case hopeless(err):
			return fmt.Errorf("%w (--group, --session-timeout)", r.config.Cluster.Explain("join consumer group "+r.config.Group, err))
		case errors.Is(err, kafka.RebalanceInProgress):
		case err != nil:
			r.calm.warn("cannot join the consumer group, trying again", "group", r.config.Group, "error", err)
		default:
			r.serve(ctx, generation, &owners)
		}
	}
}

// serve starts the owners of one generation of the group. They end with it.
func (r *run) serve(ctx context.Context, generation *kafka.Generation, owners *sync.WaitGroup) {
	assigned := generation.Assignments[r.config.Topic]
	r.log.Debug("the group gave partitions to this member", "generation", generation.ID, "partitions", len(assigned))
	rowGroup := min(int64(r.config.RowGroupBytes)/int64(max(1, len(assigned))), maxRowGroup)
	for _, a := range assigned {
		o := &owner{run: r, source: r.source(a.ID), rowGroup: rowGroup}
		o.commit = func(next int64) {
			if next == 0 {
				return
			}
			err := generation.CommitOffsets(map[string]map[int]int64{r.config.Topic: {a.ID: next}})
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
			r.lag.drop(a.ID)
			if err != nil {
				r.fail(err)
			}
			owners.Done()
			// Returning would end the generation for all partitions.
			<-over.Done()
		})
	}
}
