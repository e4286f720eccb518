package deadletter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
	"dssdnet/schemas"
)

// headroom is what the key, the headers and the framing of a letter may take of a batch.
const headroom = 64 << 10

// valueLimits are the lengths to which the value of a letter is cut until the topic takes it. Topics that the tool made
// take the first; one made by hand may have the broker's default limit of 1 MiB, or less.
var valueLimits = []int{cluster.BatchBytes - headroom, 1<<20 - headroom, 32 << 10, 0}

// topicSettings are those of the dead letter topic when the tool makes it: letters stay until they are deleted.
var topicSettings = map[string]string{
	"max.message.bytes": fmt.Sprint(cluster.MaxMessageBytes),
	"retention.ms":      "-1",
	"cleanup.policy":    "delete",
}

// Writer writes letters. It is safe for concurrent use.
type Writer struct {
	cluster cluster.Config
	kafka   *kafka.Writer

	mu      sync.Mutex
	ensured bool // the topic exists
}

// NewWriter makes a writer of letters. It connects on the first Write and makes the topic when there is none. log gets
// retries; nil discards them.
func NewWriter(c cluster.Config, log *slog.Logger) (*Writer, error) {
	w, err := cluster.NewWriter(c, schemas.TopicDeadLetter, log)
	if err != nil {
		return nil, err
	}
	return &Writer{cluster: c, kafka: w}, nil
}

// Write returns when every replica has the letters. After an error some of them may be in the topic: writing all again
// is safe. The letters may be reused when it returns.
func (w *Writer) Write(ctx context.Context, letters ...Letter) error {
	if len(letters) == 0 {
		return nil
	}
	if err := w.ensureTopic(ctx); err != nil {
		return err
	}
	records := make([]kafka.Message, len(letters))
	for i, l := range letters {
		records[i] = l.record(valueLimits[0])
	}
	err := w.kafka.WriteMessages(ctx, records...)
	if err == nil {
		return nil
	}
	if tooLarge(err) {
		return w.writeEach(ctx, letters)
	}
	return w.fail(letters[0], err)
}

// writeEach writes letters one by one, each as long as the topic takes it. One of a batch was too large, or the batch.
func (w *Writer) writeEach(ctx context.Context, letters []Letter) error {
	for _, l := range letters {
		var err error
		for _, limit := range valueLimits {
			if err = w.kafka.WriteMessages(ctx, l.record(limit)); !tooLarge(err) {
				break
			}
		}
		if err != nil {
			return w.fail(l, err)
		}
	}
	return nil
}

func (w *Writer) ensureTopic(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ensured {
		return nil
	}
	if err := cluster.EnsureTopic(ctx, w.cluster, schemas.TopicDeadLetter, 1, topicSettings); err != nil {
		return err
	}
	w.ensured = true
	return nil
}

func (w *Writer) fail(l Letter, err error) error {
	what := l.Path
	if what == "" {
		what = fmt.Sprintf("%s, partition %d, offset %d", l.Topic, l.Partition, l.Offset)
	}
	return w.cluster.Explain(fmt.Sprintf("write the dead letter of %s to topic %s", what, schemas.TopicDeadLetter), err)
}

// Close releases the connections.
func (w *Writer) Close() error {
	err := w.kafka.Close()
	cluster.Release(w.kafka.Transport)
	return err
}

// tooLarge reports whether the client or the broker refused a record or batch for its size. kafka.WriteErrors hides
// its elements from errors.Is.
func tooLarge(err error) bool {
	var client kafka.MessageTooLargeError
	if errors.As(err, &client) || errors.Is(err, kafka.MessageSizeTooLarge) {
		return true
	}
	var each kafka.WriteErrors
	if errors.As(err, &each) {
		for _, e := range each {
			if e != nil && tooLarge(e) {
				return true
			}
		}
	}
	return false
}
