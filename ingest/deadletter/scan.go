package deadletter

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
	"dssdnet/schemas"
)

// scan calls visit for every record that the dead letter topic holds now, partition after partition. A topic that does
// not exist holds none. The message is visit's to keep.
func scan(ctx context.Context, c cluster.Config, visit func(kafka.Message) error) error {
	spans, err := cluster.Spans(ctx, c, schemas.TopicDeadLetter)
	if missing := (*cluster.NoTopicError)(nil); errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	partitions := make([]int, 0, len(spans))
	for p := range spans {
		partitions = append(partitions, p)
	}
	slices.Sort(partitions)
	for _, p := range partitions {
		if err := scanPartition(ctx, c, p, spans[p], visit); err != nil {
			return err
		}
	}
	return nil
}

func scanPartition(ctx context.Context, c cluster.Config, partition int, span cluster.Span, visit func(kafka.Message) error) error {
	if span.First >= span.End {
		return nil
	}
	dialer, err := c.Dialer()
	if err != nil {
		return err
	}
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: c.Brokers, Dialer: dialer, Topic: schemas.TopicDeadLetter, Partition: partition,
		MinBytes: 1, MaxBytes: cluster.MaxMessageBytes,
		QueueCapacity:   2,                      // whole documents wait in it
		MaxWait:         250 * time.Millisecond, // Close waits this long
		ReadLagInterval: -1,
	})
	defer reader.Close()
	if err := reader.SetOffset(span.First); err != nil {
		return err
	}
	for {
		m, err := reader.FetchMessage(ctx)
		if err != nil {
			return c.Explain("read topic "+schemas.TopicDeadLetter, err)
		}
		if m.Offset >= span.End {
			return nil
		}
		if err := visit(m); err != nil {
			return err
		}
		if m.Offset == span.End-1 {
			return nil
		}
	}
}
