package worker

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"dssdnet/index/analysis"
	"dssdnet/index/build"
	"dssdnet/index/enqueue"
	"dssdnet/index/indextest"
	"dssdnet/index/pool"
	"dssdnet/index/publish"
	"dssdnet/index/search"
	"dssdnet/ingest/deadletter"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/member"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// hurried makes things that take seconds take milliseconds.
var hurried = member.Pace{Quiet: 300 * time.Millisecond, Goal: 20 * time.Millisecond, Backoff: 100 * time.Millisecond, Added: 200 * time.Millisecond}

func TestWorkersDrawWhatSearchDraws(t *testing.T) {
	w := newWorld(t, 3)
	w.enqueue(t)
	const members = 3
	results := make([]Result, members)
	var group sync.WaitGroup
	for i := range members {
		group.Go(func() {
			var err error
			if results[i], err = start(t.Context(), w.config(t), hurried); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	var topics, rows int64
	for _, result := range results {
		topics, rows = topics+result.Topics, rows+result.Rows
	}
	if topics != int64(len(w.topics)) || rows == 0 {
		t.Errorf("the workers drew %d pools with %d rows, there are %d topics", topics, rows, len(w.topics))
	}
	w.compare(t)
}

func TestQueriesThatComeAgainChangeNothing(t *testing.T) {
	w := newWorld(t, 2)
	w.enqueue(t)
	c := w.config(t)
	mustStart(t, c)
	before := w.files(t)
	if again := mustStart(t, c); again.Records != 0 || again.Files != 0 {
		t.Errorf("a run without new queries: %+v", again)
	}
	if !slices.Equal(before, w.files(t)) {
		t.Errorf("files %v, before %v", w.files(t), before)
	}
	w.send(t, w.topics[:7]...)
	more := w.topics[0]
	more.TopicID = "PAC-new"
	w.send(t, more)
	if result := mustStart(t, c); result.Repeated != 7 || result.Topics != 1 {
		t.Errorf("7 queries again and a new one: %+v", result)
	}
	w.topics = append(w.topics, more)
	w.compare(t)
}

func TestRecordsThatAreNoQueryAreDeadLetters(t *testing.T) {
	w := newWorld(t, 1)
	w.enqueue(t)
	version := []kafka.Header{{Key: schemas.HeaderVersion, Value: []byte("9")}}
	w.write(t,
		kafka.Message{Key: []byte("x"), Value: []byte("no JSON")},
		kafka.Message{Value: []byte(`{"title":"a pump"}`)},
		kafka.Message{Key: []byte("y"), Value: []byte(`{"priority_date":"?","application_date":"2001-13-01"}`)},
		kafka.Message{Key: []byte("z"), Value: []byte(`{}`), Headers: version},
		kafka.Message{Key: []byte("PAC-empty"), Value: []byte(`{"title_de":"Pumpe","lang":"de"}`)},
	)
	c := w.config(t)
	result := mustStart(t, c)
	if result.DeadLetters != 4 || result.Topics != int64(len(w.topics))+1 {
		t.Errorf("%+v", result)
	}
	asked := deadletterConfig(w)
	asked.Stage = deadletter.StageSearch
	listing, err := deadletter.List(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	var classes []string
	for _, entry := range listing.Entries {
		if entry.Stage != deadletter.StageSearch {
			t.Errorf("stage %q", entry.Stage)
		}
		classes = append(classes, entry.Class)
	}
	slices.Sort(classes)
	if diff := cmp.Diff([]string{"newer-version", "no-topic-id", "not-a-query", "not-a-query"}, classes); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
	kept := false
	err = pool.EachQuery(pool.Dir(w.Dir, "test"), func(q pool.Query) error {
		kept = kept || q.TopicID == "PAC-empty" && q.Hits == 0 && len(q.Notes) == 1
		return nil
	})
	if err != nil || !kept {
		t.Errorf("the topic with an empty query is not kept: %v", err)
	}
	c.MaxDeadShare = 0.001
	w.write(t, kafka.Message{Key: []byte("x"), Value: []byte("no JSON")})
	if _, err := start(t.Context(), c, hurried); fault.KindOf(err) != fault.DeadLetters {
		t.Errorf("the error is %v", err)
	}
}

func TestAPoolIsOfOneIndexAndOneSetOfSettings(t *testing.T) {
	w := newWorld(t, 1)
	w.enqueue(t)
	c := w.config(t)
	mustStart(t, c)
	other := c
	other.K1 = 2
	if _, err := start(t.Context(), other, hurried); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "settings") {
		t.Errorf("with another k1: %v", err)
	}
	s := search.Default()
	s.Workspace, s.Pool = w.Dir, "test"
	if _, err := search.Run(t.Context(), s); fault.KindOf(err) != fault.Rejected {
		t.Errorf("search over a pool of workers: %v", err)
	}
	w.patents = w.patents[:500]
	w.index(t)
	if _, err := start(t.Context(), c, hurried); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "index build") {
		t.Errorf("with another index: %v", err)
	}
	s.Pool = "searched"
	if _, err := search.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	c.Pool = "searched"
	if _, err := start(t.Context(), c, hurried); fault.KindOf(err) != fault.Rejected {
		t.Errorf("a worker over a pool of search: %v", err)
	}
}

func TestWithoutEndTheRunWaitsForQueries(t *testing.T) {
	w := newWorld(t, 2)
	c := w.config(t)
	c.UntilEnd, c.FileAge = false, 50*time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := start(ctx, c, hurried)
		ended <- err
	}()
	for _, topic := range w.topics {
		w.send(t, topic)
	}
	for {
		rows := w.rows()
		if len(rows) == len(w.topics) {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the run ended: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	w.compare(t)
}

func TestEnqueueAndPublishAreSkippedTheSecondTime(t *testing.T) {
	w := newWorld(t, 2)
	e := enqueue.Default()
	e.Workspace, e.Cluster, e.Topic = w.Dir, w.at, "queries"
	for _, want := range []bool{false, true} {
		result, err := enqueue.Run(t.Context(), e)
		if err != nil || result.Skipped != want || result.Topics != int64(len(w.topics)) {
			t.Errorf("enqueue: %+v, %v", result, err)
		}
	}
	mustStart(t, w.config(t))
	p := publish.Default()
	p.Workspace, p.Cluster, p.Pool, p.Partitions = w.Dir, w.at, "test", 1
	for _, want := range []bool{false, true} {
		result, err := publish.Run(t.Context(), p)
		if err != nil || result.Skipped != want || result.Topics != int64(len(w.topics)) {
			t.Errorf("publish: %+v, %v", result, err)
		}
	}
	reader := kafka.NewReader(kafka.ReaderConfig{Brokers: w.at.Brokers, Topic: schemas.TopicPools, MaxBytes: 1 << 24})
	defer func() { _ = reader.Close() }()
	rows := w.rows()
	for range w.topics {
		m, err := reader.FetchMessage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got schemas.PoolMessage
		if err := json.Unmarshal(m.Value, &got); err != nil {
			t.Fatal(err)
		}
		want := rows[got.TopicID]
		if string(m.Key) != got.TopicID || len(got.Candidates) != len(want) || got.Pool != "test" {
			t.Fatalf("%s: the message of %s has %d candidates, want %d", m.Key, got.TopicID, len(got.Candidates), len(want))
		}
		for i, c := range got.Candidates {
			if c.PatentID != want[i].PatentID || c.Score != want[i].Score || got.IndexBuild != want[i].IndexBuild {
				t.Fatalf("%s: candidate %d is %+v, want %+v", got.TopicID, i, c, want[i])
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for name, edit := range map[string]func(*Config){
		"pool":    func(c *Config) { c.Pool = "a/b" },
		"topic":   func(c *Config) { c.FromTopic = "" },
		"hits":    func(c *Config) { c.Hits = 0 },
		"files":   func(c *Config) { c.FileTopics = 0 },
		"age":     func(c *Config) { c.FileAge = 0 },
		"share":   func(c *Config) { c.MaxDeadShare = 2 },
		"wait":    func(c *Config) { c.MaxWait = c.FileAge - 1 },
		"session": func(c *Config) { c.SessionTimeout = time.Millisecond },
		"brokers": func(c *Config) { c.Cluster.Brokers = nil },
	} {
		c := Default()
		c.Cluster.Brokers = []string{"localhost:9092"}
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		edit(&c)
		if err := c.Validate(); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: the error is %v, want one of kind Usage", name, err)
		}
	}
}

// world is a workspace with an index and topics, and a broker with a topic for queries.
type world struct {
	workspace.Dir
	broker  *kfake.Cluster
	at      cluster.Config
	patents []schemas.Patent
	topics  []schemas.Topic
}

func newWorld(t *testing.T, partitions int) *world {
	t.Helper()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.ClusterID("c1"), kfake.GroupMinSessionTimeout(100*time.Millisecond),
		kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	w := &world{Dir: workspace.Dir(t.TempDir()), broker: broker, at: cluster.Config{Brokers: broker.ListenAddrs()}, patents: indextest.Small.Make()}
	if err := cluster.EnsureTopic(t.Context(), w.at, "queries", partitions, nil); err != nil {
		t.Fatal(err)
	}
	w.index(t)
	w.topics = indextest.Topics(w.patents, 60, 4)
	indextest.WriteTable(t, schemas.Topics, filepath.Join(w.Table("topics"), "made-up.parquet"), w.topics)
	return w
}

func (w *world) index(t *testing.T) {
	t.Helper()
	indextest.WritePatents(t, w.Dir, w.patents, 300)
	c := build.Default()
	c.Workspace, c.Analyzer = w.Dir, analysis.Words
	if _, err := build.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func (w *world) config(t *testing.T) Config {
	c := Default()
	c.Workspace, c.Cluster, c.Pool, c.Hits, c.UntilEnd, c.FileTopics = w.Dir, w.at, "test", 40, true, 6
	c.SessionTimeout, c.FileAge, c.MaxDeadShare = 500*time.Millisecond, 200*time.Millisecond, 1
	if t != nil {
		c.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	return c
}

func (w *world) enqueue(t *testing.T) {
	t.Helper()
	c := enqueue.Default()
	c.Workspace, c.Cluster = w.Dir, w.at
	if _, err := enqueue.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func (w *world) send(t *testing.T, topics ...schemas.Topic) {
	t.Helper()
	var messages []kafka.Message
	for _, topic := range topics {
		value, err := json.Marshal(schemas.QueryOf(&topic))
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, kafka.Message{Key: []byte(topic.TopicID), Value: value})
	}
	w.write(t, messages...)
}

func (w *world) write(t *testing.T, messages ...kafka.Message) {
	t.Helper()
	writer, err := cluster.NewWriter(w.at, "queries", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.WriteMessages(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	cluster.Release(writer.Transport)
}

func mustStart(t *testing.T, c Config) Result {
	t.Helper()
	result, err := start(t.Context(), c, hurried)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (w *world) files(t *testing.T) []string {
	t.Helper()
	names, err := chain.List(pool.Dir(w.Dir, "test"))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, name := range names {
		files = append(files, name.String())
	}
	return files
}

// rows are the rows of the workers' pool by topic; none while a file is missing or unreadable.
func (w *world) rows() map[string][]schemas.Pool {
	dir := pool.Dir(w.Dir, "test")
	if _, err := os.Stat(dir); err != nil {
		return nil
	}
	reader, err := pool.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = reader.Close() }()
	rows := make(map[string][]schemas.Pool)
	for _, topic := range reader.Topics() {
		if rows[topic], err = reader.Topic(topic); err != nil {
			return nil
		}
	}
	return rows
}

// compare draws the pools of all topics by search and compares the workers' with them, bit by bit.
func (w *world) compare(t *testing.T) {
	t.Helper()
	indextest.WriteTable(t, schemas.Topics, filepath.Join(w.Table("topics"), "made-up.parquet"), w.topics)
	c := search.Default()
	c.Workspace, c.Pool, c.Hits = w.Dir, "searched", 40
	if _, err := search.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	want := make(map[string][]schemas.Pool)
	for _, row := range indextest.ReadTable[schemas.Pool](t, schemas.Pools, pool.Dir(w.Dir, "searched")) {
		want[row.TopicID] = append(want[row.TopicID], row)
	}
	if diff := cmp.Diff(want, w.rows()); diff != "" {
		t.Errorf("pools (-search +workers):\n%.3000s", diff)
	}
}

func deadletterConfig(w *world) deadletter.Config {
	c := deadletter.Default()
	c.Cluster = w.at
	return c
}
