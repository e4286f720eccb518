package consume

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/member"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestMain(m *testing.M) {
	if os.Getenv(memberEnv) != "" {
		os.Exit(memberMain())
	}
	if os.Getenv(benchEnv) != "" {
		os.Exit(serveDocuments())
	}
	goleak.VerifyTestMain(m)
}

const sessionTimeout = 500 * time.Millisecond

// broker runs a cluster with a topic of that many partitions.
func broker(t testing.TB, partitions int, options ...kfake.Opt) (*kfake.Cluster, cluster.Config) {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1), kfake.ClusterID("c1"),
		kfake.GroupMinSessionTimeout(100 * time.Millisecond),
		kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"})}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	at := cluster.Config{Brokers: c.ListenAddrs()}
	if partitions > 0 {
		if err := ensure(t, at, schemas.TopicXML, partitions); err != nil {
			t.Fatal(err)
		}
	}
	return c, at
}

func ensure(t testing.TB, at cluster.Config, topic string, partitions int) error {
	t.Helper()
	return cluster.EnsureTopic(t.Context(), at, topic, partitions, map[string]string{"max.message.bytes": "16777216"})
}

// config is a bounded run in a workspace of its own.
func config(t testing.TB, at cluster.Config) Config {
	t.Helper()
	c := Default()
	c.Workspace, c.Cluster, c.UntilEnd = workspace.Dir(t.TempDir()), at, true
	c.SessionTimeout = sessionTimeout
	c.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelInfo}))
	return c
}

// hurried makes things that take seconds take milliseconds.
var hurried = pace{grace: time.Second, Pace: member.Pace{
	Quiet: 300 * time.Millisecond, Goal: 20 * time.Millisecond, Backoff: 100 * time.Millisecond, Added: 200 * time.Millisecond}}

func consumed(t testing.TB, c Config) Result {
	t.Helper()
	result, err := newRun(c, hurried, patentParser(c)).start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// document is a patent document whose content depends on number and text. A day of "" leaves the date out.
func document(number int, day, text string) string {
	date := ""
	if day != "" {
		date = fmt.Sprintf(` date-produced="%s"`, day)
	}
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<patent-document ucid="EP-%07d-A1" country="EP" doc-number="%07d" kind="A1" lang="EN" date="20010203"%s>
<bibliographic-data><technical-data><invention-title lang="EN">Device %d</invention-title></technical-data></bibliographic-data>
<description lang="EN"><p>%s</p></description>
</patent-document>`, number, number, date, number, text)
}

func ucid(number int) string { return fmt.Sprintf("EP-%07d-A1", number) }

// record is what the publisher makes of a document.
func record(number int, value string) kafka.Message {
	sum := sha256.Sum256([]byte(value))
	return kafka.Message{
		Key: fmt.Appendf(nil, "EP-%07d", number), Value: []byte(value),
		Headers: []kafka.Header{
			{Key: schemas.HeaderVersion, Value: []byte(schemas.RecordVersion)},
			{Key: schemas.HeaderPath, Value: fmt.Appendf(nil, "tree/%d.xml", number)},
			{Key: schemas.HeaderRange, Value: fmt.Appendf(nil, "0-%d", len(value))},
			{Key: schemas.HeaderSHA256, Value: []byte(hex.EncodeToString(sum[:]))},
		},
	}
}

func publish(t testing.TB, at cluster.Config, records ...kafka.Message) {
	t.Helper()
	publishTo(t, at, schemas.TopicXML, records...)
}

func publishTo(t testing.TB, at cluster.Config, topic string, records ...kafka.Message) {
	t.Helper()
	w, err := cluster.NewWriter(at, topic, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteMessages(t.Context(), records...); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	cluster.Release(w.Transport)
}

// documents publishes the documents from first to last with one text.
func documents(t testing.TB, at cluster.Config, first, last int, text string) {
	t.Helper()
	var records []kafka.Message
	for n := first; n <= last; n++ {
		records = append(records, record(n, document(n, "", text)))
	}
	publish(t, at, records...)
}

// rows returns the table's rows by partition and offset.
func rows(t testing.TB, c Config) []schemas.Document {
	t.Helper()
	var all []schemas.Document
	for _, path := range files(t, c) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		some, err := schemas.ReadAll[schemas.Document](schemas.Documents, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// files returns the paths of the table's files by partition and offset.
func files(t testing.TB, c Config) []string {
	t.Helper()
	dir := c.Workspace.Table("documents")
	names, err := chain.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, n := range names {
		paths = append(paths, n.Path(dir))
	}
	return paths
}

// metadata reads a key of a file's footer.
func metadata(t testing.TB, path, key string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	value, _ := file.Lookup(key)
	return value
}

// ucids returns the ucids of rows, sorted.
func ucids(all []schemas.Document) []string {
	var ids []string
	for _, r := range all {
		ids = append(ids, r.UCID)
	}
	slices.Sort(ids)
	return ids
}

// checkOnce fails unless the rows are the documents from 1 to last, each once, in the order of their offsets, and
// nothing unfinished is left.
func checkOnce(t testing.TB, c Config, last int) {
	t.Helper()
	all := rows(t, c)
	var want []string
	for n := 1; n <= last; n++ {
		want = append(want, ucid(n))
	}
	if got := ucids(all); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d: %s", len(got), len(want), difference(got, want))
	}
	next := map[int32]int64{}
	for _, r := range all {
		if r.Source.Offset < next[r.Source.Partition] {
			t.Errorf("partition %d: offset %d comes after %d", r.Source.Partition, r.Source.Offset, next[r.Source.Partition]-1)
		}
		next[r.Source.Partition] = r.Source.Offset + 1
	}
	left, err := filepath.Glob(filepath.Join(c.Workspace.Table("documents"), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// difference names ids that are missing or there too often.
func difference(got, want []string) string {
	count := map[string]int{}
	for _, id := range got {
		count[id]++
	}
	for _, id := range want {
		count[id]--
	}
	var wrong []string
	for id, n := range count {
		if n != 0 {
			wrong = append(wrong, fmt.Sprintf("%s %+d", id, n))
		}
	}
	slices.Sort(wrong)
	return strings.Join(wrong[:min(len(wrong), 20)], ", ")
}

// counter counts what a run reports.
type counter struct {
	added atomic.Int64

	mu     sync.Mutex
	gauges map[string]float64
}

func (c *counter) Start(string, int64, progress.Unit) progress.Task { return c }
func (c *counter) Add(n int64)                                      { c.added.Add(n) }
func (c *counter) SetTotal(int64)                                   {}
func (c *counter) Count(string, int64)                              {}
func (c *counter) Done()                                            {}

func (c *counter) Gauge(name string, value float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gauges == nil {
		c.gauges = make(map[string]float64)
	}
	c.gauges[name] = value
}

func (c *counter) gauge(name string) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gauges[name]
}

// eventually waits for a condition. The test's own deadline ends a wait that is in vain.
func eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func makeDir(path string) error { return os.MkdirAll(path, 0o755) }
