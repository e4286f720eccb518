package member

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"
)

// join takes part in the consumer group until ctx ends. Whatever partitions the group gives this member get an owner.
func (m *Member) join(ctx context.Context) error {
	c := m.config
	var lines lines
	dialer, err := lines.dialer(c.Cluster)
	if err != nil {
		return err
	}
	group, err := kafka.NewConsumerGroup(kafka.ConsumerGroupConfig{
		ID: c.Group, Brokers: c.Cluster.Brokers, Dialer: dialer, Topics: []string{c.Topic},
		GroupBalancers:        []kafka.GroupBalancer{kafka.RangeGroupBalancer{}},
		StartOffset:           kafka.FirstOffset,
		WatchPartitionChanges: true, PartitionWatchInterval: c.Pace.Added,
		SessionTimeout:    c.SessionTimeout,
		HeartbeatInterval: min(c.SessionTimeout/4, 3*time.Second),
		RebalanceTimeout:  max(c.SessionTimeout, 10*time.Second),
		JoinGroupBackoff:  c.Pace.Backoff,
	})
	if err != nil {
		return fmt.Errorf("join consumer group %s: %w", c.Group, err)
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
			return fmt.Errorf("%w (--group, --session-timeout)", c.Cluster.Explain("join consumer group "+c.Group, err))
		case errors.Is(err, kafka.RebalanceInProgress):
		case err != nil:
			m.Warn("cannot join the consumer group, trying again", "group", c.Group, "error", err)
		default:
			m.serve(ctx, generation, &owners)
		}
	}
}

// serve starts the owners of one generation of the group. They end with it.
func (m *Member) serve(ctx context.Context, generation *kafka.Generation, owners *sync.WaitGroup) {
	assigned := generation.Assignments[m.config.Topic]
	m.config.Log.Debug("the group gave partitions to this member", "generation", generation.ID, "partitions", len(assigned))
	for _, a := range assigned {
		p := &Partition{Source: m.source(a.ID), Assigned: len(assigned), member: m, generation: generation}
		owners.Add(1)
		generation.Start(func(over context.Context) {
			working, cancel := context.WithCancel(ctx)
			stop := context.AfterFunc(over, cancel)
			err := p.own(working)
			stop()
			cancel()
			m.lag(a.ID, 0)
			if err != nil {
				m.fail(err)
			}
			owners.Done()
			// Returning would end the generation for all partitions.
			<-over.Done()
		})
	}
}

func (m *Member) lag(partition int, records int64) {
	if m.config.Lag != nil {
		m.config.Lag(partition, records)
	}
}
