package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"go.uber.org/goleak"

	"dssdnet/ingest/broker"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patent is a small document.
func patent(ucid, text string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><patent-document ucid="` + ucid + `"><abstract lang="EN"><p>` + text + `</p></abstract></patent-document>`
}

// write makes a file below dir, with its folders.
func write(t testing.TB, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// start runs an embedded broker for a test and returns settings that publish paths to it.
func start(t testing.TB, paths ...string) Config {
	t.Helper()
	b := broker.Default()
	b.Workspace, b.SyncWrites = workspace.Dir(t.TempDir()), false
	running, err := broker.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Close(); err != nil {
			t.Error(err)
		}
	})
	c := Default()
	c.Paths, c.Workspace, c.Cluster = paths, b.Workspace, running.Cluster()
	c.MaxDeadShare = 1
	return c
}

// publishes runs and returns the result and the records, by partition in order.
func publishes(t *testing.T, c Config) (Result, map[int][]kafka.Message) {
	t.Helper()
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r, recordsOf(t, c.Cluster, c.Topic)
}

func recordsOf(t *testing.T, c cluster.Config, topic string) map[int][]kafka.Message {
	t.Helper()
	dialer, err := c.Dialer()
	if err != nil {
		t.Fatal(err)
	}
	spans, err := cluster.Spans(t.Context(), c, topic)
	if err != nil {
		t.Fatal(err)
	}
	all := map[int][]kafka.Message{}
	for p, span := range spans {
		r := kafka.NewReader(kafka.ReaderConfig{Brokers: c.Brokers, Dialer: dialer, Topic: topic, Partition: p, MaxBytes: 16 << 20, MaxWait: 100 * time.Millisecond})
		if err := r.SetOffset(span.First); err != nil {
			t.Fatal(err)
		}
		for next := span.First; next < span.End; next++ {
			m, err := r.ReadMessage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all[p] = append(all[p], m)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// flat lists records of all partitions, in order within each.
func flat(records map[int][]kafka.Message) (all []kafka.Message) {
	for _, p := range slices.Sorted(maps.Keys(records)) {
		all = append(all, records[p]...)
	}
	return all
}

// paths lists the path headers in order of names.
func paths(records map[int][]kafka.Message) (all []string) {
	for _, m := range flat(records) {
		all = append(all, header(m, schemas.HeaderPath))
	}
	slices.Sort(all)
	return all
}

func header(m kafka.Message, key string) string {
	for _, h := range m.Headers {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}

// checkRecord compares the headers of a record with its value.
func checkRecord(t *testing.T, m kafka.Message) {
	t.Helper()
	sum := sha256.Sum256(m.Value)
	if got := header(m, schemas.HeaderSHA256); got != hex.EncodeToString(sum[:]) {
		t.Errorf("%s: hash %s, want %x", header(m, schemas.HeaderPath), got, sum)
	}
	if header(m, schemas.HeaderVersion) != schemas.RecordVersion {
		t.Errorf("%s: no version header", header(m, schemas.HeaderPath))
	}
	var start, end int64
	if _, err := fmt.Sscanf(header(m, schemas.HeaderRange), "%d-%d", &start, &end); err != nil {
		t.Fatalf("range %q: %v", header(m, schemas.HeaderRange), err)
	}
	whole := header(m, schemas.HeaderCutFrom)
	if whole == "" && end-start != int64(len(m.Value)) || whole != "" && whole != fmt.Sprint(end-start) {
		t.Errorf("%s: range %d-%d, cut from %q, value of %d bytes", header(m, schemas.HeaderPath), start, end, whole, len(m.Value))
	}
}

// lettersOf lists the dead letters as "path class".
func lettersOf(t *testing.T, c Config) (all []string) {
	t.Helper()
	for _, m := range flat(recordsOf(t, c.Cluster, schemas.TopicDeadLetter)) {
		if stage := header(m, schemas.HeaderErrorStage); stage != deadletter.StagePublish {
			t.Errorf("a letter of stage %q", stage)
		}
		path := header(m, schemas.HeaderPath)
		if message := header(m, schemas.HeaderErrorMessage); !strings.Contains(message, path) {
			t.Errorf("message %q does not name %s", message, path)
		}
		all = append(all, path+" "+header(m, schemas.HeaderErrorClass))
	}
	slices.Sort(all)
	return all
}

// within makes paths relative to dir.
func within(dir string, paths []string) []string {
	short := make([]string, len(paths))
	for i, p := range paths {
		short[i] = strings.TrimPrefix(p, dir+"/")
	}
	return short
}

// lines is a log that remembers its messages.
type lines struct{ written chan string }

func newLines() lines { return lines{make(chan string, 1000)} }

func (l lines) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func (l lines) Write(p []byte) (int, error) {
	select {
	case l.written <- string(p):
	default:
	}
	return len(p), nil
}

// await returns when a line with this text has been written.
func (l lines) await(ctx context.Context, text string) error {
	for {
		select {
		case line := <-l.written:
			if strings.Contains(line, text) {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("the log never said %q: %w", text, ctx.Err())
		}
	}
}
