package cluster

import (
	"context"
	"log/slog"

	"github.com/segmentio/kafka-go"
)

// Batch collects records of one topic and writes them some at a time. It is not safe for concurrent use.
type Batch struct {
	cluster Config
	writer  *kafka.Writer
	what    string
	sent    func([]kafka.Message)
	pending []kafka.Message
}

// NewBatch makes a batch that is written when it has size records. what they are is for errors: "queries". sent is
// called with the records that every replica has; they are valid until it returns. log gets retries; nil discards them.
// Flush the batch after the last record, then close it.
func NewBatch(c Config, topic, what string, size int, log *slog.Logger, sent func([]kafka.Message)) (*Batch, error) {
	w, err := NewWriter(c, topic, log)
	if err != nil {
		return nil, err
	}
	return &Batch{cluster: c, writer: w, what: what, sent: sent, pending: make([]kafka.Message, 0, size)}, nil
}

// Add takes one more record.
func (b *Batch) Add(ctx context.Context, m kafka.Message) error {
	b.pending = append(b.pending, m)
	if len(b.pending) < cap(b.pending) {
		return nil
	}
	return b.Flush(ctx)
}

// Flush writes what was added since the last write.
func (b *Batch) Flush(ctx context.Context) error {
	if len(b.pending) == 0 {
		return nil
	}
	if err := b.writer.WriteMessages(ctx, b.pending...); err != nil {
		return b.cluster.Explain("write "+b.what+" to topic "+b.writer.Topic, err)
	}
	b.sent(b.pending)
	clear(b.pending)
	b.pending = b.pending[:0]
	return nil
}

// Close drops what was not flushed and releases the connections.
func (b *Batch) Close() error {
	err := b.writer.Close()
	Release(b.writer.Transport)
	return err
}
