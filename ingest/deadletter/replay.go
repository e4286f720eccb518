package deadletter

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// replayBytes is how much is sent at once.
const replayBytes = 4 << 20

// Replayed is what Replay did.
type Replayed struct {
	Letters  int64 `json:"letters"` // records in the topic that match
	Replayed int64 `json:"replayed"`
	Bytes    int64 `json:"bytes"`
	// Repeated letters hold a record that was sent already in this run.
	Repeated int64 `json:"repeated"`
	// NotReplayable letters hold no whole record: their paths have to be published again. Paths are the first of them.
	NotReplayable int64    `json:"not_replayable"`
	Paths         []string `json:"publish_again,omitempty"`
}

// Replay sends the records of the chosen letters to the topic they came from, with their key, headers and time, and
// returns when every replica has them. It reads the dead letter topic to its end at the start of the run, so a record
// that fails again is not sent again. Replaying twice sends twice; consume skips a document that it has.
func Replay(ctx context.Context, c Config) (Replayed, error) {
	if err := c.Validate(); err != nil {
		return Replayed{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	writer, err := cluster.NewWriter(c.Cluster, "", c.Log)
	if err != nil {
		return Replayed{}, err
	}
	r := &replayer{config: c, writer: writer, match: c.filter(), sent: newRecent[trouble](c.DedupeKeys),
		task: progress.Or(c.Progress).Start("dlq replay", 0, progress.Records)}
	defer r.close()
	if err := scan(ctx, c.Cluster, func(m kafka.Message) error { return r.visit(ctx, m) }); err != nil {
		return r.result, err
	}
	return r.result, r.flush(ctx)
}

type replayer struct {
	config  Config
	writer  *kafka.Writer
	match   func(Letter) bool
	sent    *recent[trouble]
	task    progress.Task
	pending []kafka.Message
	size    int64
	result  Replayed
}

func (r *replayer) visit(ctx context.Context, m kafka.Message) error {
	r.task.Add(1)
	l, full := read(m)
	if !r.match(l) {
		return nil
	}
	r.result.Letters++
	if !replayable(l, full) {
		r.result.NotReplayable++
		if l.Path != "" && len(r.result.Paths) < r.config.Limit && !slices.Contains(r.result.Paths, l.Path) {
			r.result.Paths = append(r.result.Paths, l.Path)
		}
		return nil
	}
	if r.sent.seen(contentOf(l)) {
		r.result.Repeated++
		return nil
	}
	mark := kafka.Header{Key: schemas.HeaderReplay, Value: fmt.Appendf(nil, "%d:%d", m.Partition, m.Offset)}
	headers := slices.DeleteFunc(l.Headers, func(h kafka.Header) bool { return h.Key == schemas.HeaderReplay })
	r.pending = append(r.pending, kafka.Message{Topic: l.Topic, Key: l.Key, Value: l.Value, Headers: append(headers, mark), Time: l.Time})
	r.size += int64(len(l.Value))
	if r.size >= replayBytes {
		return r.flush(ctx)
	}
	return nil
}

func (r *replayer) flush(ctx context.Context) error {
	if len(r.pending) == 0 {
		return nil
	}
	if err := r.writer.WriteMessages(ctx, r.pending...); err != nil {
		return r.config.Cluster.Explain(fmt.Sprintf("replay dead letters to topic %s", r.pending[0].Topic), err)
	}
	r.result.Replayed += int64(len(r.pending))
	r.result.Bytes += r.size
	r.task.Count("replayed", int64(len(r.pending)))
	r.pending, r.size = r.pending[:0], 0
	return nil
}

func (r *replayer) close() {
	r.task.Done()
	_ = r.writer.Close()
	cluster.Release(r.writer.Transport)
}

// replayable reports whether a letter holds a whole record: full is the length of the failed record's value.
func replayable(l Letter, full int64) bool {
	return l.Stage != StagePublish && l.Topic != "" && l.Offset >= 0 && int64(len(l.Value)) == full
}
