package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/broker"
	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// tree writes n documents of 20 kB.
func tree(t testing.TB, n int) string {
	t.Helper()
	dir, text := t.TempDir(), noise(20_000)
	for i := range n {
		write(t, dir, fmt.Sprintf("%03d.xml", i), patent(fmt.Sprintf("EP-%07d-A1", i), text))
	}
	return dir
}

// small runs a broker with a spool of 1 MiB, and returns it with settings that publish paths to it. The caller closes.
func small(t *testing.T, log lines, paths ...string) (broker.Config, *broker.Broker, Config) {
	t.Helper()
	b := broker.Default()
	b.Workspace, b.SyncWrites, b.SpoolBytes = workspace.Dir(t.TempDir()), false, 1<<20
	running, err := broker.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	c := Default()
	c.Paths, c.Workspace, c.Cluster, c.Log = paths, b.Workspace, running.Cluster(), log.logger()
	return b, running, c
}

type outcome struct {
	result Result
	err    error
}

func background(ctx context.Context, c Config) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		r, err := Run(ctx, c)
		done <- outcome{r, err}
	}()
	return done
}

// TestBrokerGoesAway fills the spool, so that publishing is certainly under way, then stops the broker and starts it
// again with more room.
func TestBrokerGoesAway(t *testing.T) {
	log := newLines()
	const documents = 200
	b, running, c := small(t, log, tree(t, documents))
	done := background(t.Context(), c)
	if err := log.await(t.Context(), "spool is full of documents that nobody has consumed; run: dssdnet ingest consume"); err != nil {
		t.Fatal(err)
	}
	if err := running.Close(); err != nil {
		t.Fatal(err)
	}
	b.SpoolBytes = 1 << 30
	running, err := broker.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	end := <-done
	if end.err != nil || end.result.Documents != documents {
		t.Fatalf("result %+v, error %v", end.result, end.err)
	}
	if err := log.await(t.Context(), "publishing goes on"); err != nil {
		t.Error(err)
	}
	found := map[string]bool{}
	for _, m := range flat(recordsOf(t, c.Cluster, c.Topic)) {
		found[string(m.Key)] = true
	}
	if len(found) != documents {
		t.Errorf("%d documents are in the topic, want %d", len(found), documents)
	}
}

// TestSpoolIsConsumed publishes more than the spool holds while a consumer commits.
func TestSpoolIsConsumed(t *testing.T) {
	_, running, c := small(t, newLines(), tree(t, 200))
	defer running.Close()
	client, err := c.Cluster.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	done := background(t.Context(), c)
	for {
		select {
		case end := <-done:
			if end.err != nil || end.result.Documents != 200 {
				t.Fatalf("result %+v, error %v", end.result, end.err)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
		spans, err := cluster.Spans(t.Context(), c.Cluster, c.Topic)
		if err != nil {
			continue // the topic is not there yet
		}
		var commits []kafka.OffsetCommit
		for p, s := range spans {
			commits = append(commits, kafka.OffsetCommit{Partition: p, Offset: s.End})
		}
		if _, err := client.OffsetCommit(t.Context(), &kafka.OffsetCommitRequest{GroupID: "dssdnet", GenerationID: -1,
			Topics: map[string][]kafka.OffsetCommit{c.Topic: commits}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterrupted ends a run that waits, and counts what the brokers have.
func TestInterrupted(t *testing.T) {
	log := newLines()
	_, running, c := small(t, log, tree(t, 200))
	defer running.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := background(ctx, c)
	if err := log.await(t.Context(), "spool is full"); err != nil {
		t.Fatal(err)
	}
	cancel()
	end := <-done
	if !errors.Is(end.err, context.Canceled) || !strings.Contains(end.err.Error(), fmt.Sprintf("%d documents are acknowledged; repeat the command", end.result.Documents)) {
		t.Errorf("error %v", end.err)
	}
	if got := len(flat(recordsOf(t, c.Cluster, c.Topic))); int64(got) != end.result.Documents {
		t.Errorf("%d documents counted, %d in the topic", end.result.Documents, got)
	}
}

func TestTopicWithASmallLimit(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		write(t, dir, fmt.Sprintf("%d.xml", i), patent(fmt.Sprintf("EP-%07d-A1", i), noise(20_000)))
	}
	write(t, dir, "huge.xml", patent("EP-0000099-A1", noise(70_000)))
	c := start(t, dir)
	if err := cluster.EnsureTopic(t.Context(), c.Cluster, c.Topic, 2, map[string]string{"max.message.bytes": "65536"}); err != nil {
		t.Fatal(err)
	}
	r, records := publishes(t, c)
	if r.Documents != 20 || len(flat(records)) != 20 || r.DeadLetters != 1 {
		t.Errorf("result %+v with %d records", r, len(flat(records)))
	}
	if got := within(dir, lettersOf(t, c)); len(got) != 1 || got[0] != "huge.xml too-large-for-topic" {
		t.Errorf("dead letters %v", got)
	}
}

func TestCompression(t *testing.T) {
	dir := tree(t, 5)
	for _, codec := range []string{"none", "snappy", "lz4", "zstd", "gzip"} {
		c := start(t, dir)
		c.Compression = codec
		_, records := publishes(t, c)
		for _, m := range flat(records) {
			checkRecord(t, m)
		}
		if n := len(flat(records)); n != 5 {
			t.Errorf("%s: %d records", codec, n)
		}
	}
}

// TestDocumentsOfTenMegabytes is the largest thing the pipeline promises to carry whole when it is asked to.
func TestDocumentsOfTenMegabytes(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		write(t, dir, fmt.Sprintf("%d.xml", i), patent(fmt.Sprintf("EP-%07d-A1", i), noise(10_000_000)))
	}
	c := start(t, dir)
	c.MaxDocumentBytes = 11 << 20
	r, records := publishes(t, c)
	if r.Documents != 3 || r.Cut != 0 {
		t.Errorf("result %+v", r)
	}
	for _, m := range flat(records) {
		checkRecord(t, m)
		if header(m, schemas.HeaderCutFrom) != "" {
			t.Error("a document was cut")
		}
	}
}

// TestGivesUp publishes more than the spool holds while nobody consumes.
func TestGivesUp(t *testing.T) {
	_, running, c := small(t, newLines(), tree(t, 200))
	defer running.Close()
	c.MaxWait = time.Second
	result, err := Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "gave up after 1s") || !strings.Contains(err.Error(), "run: dssdnet ingest consume") {
		t.Errorf("error %v", err)
	}
	if result.Documents == 0 || result.Documents == 200 {
		t.Errorf("%d documents are published, want those that the spool takes", result.Documents)
	}
}
