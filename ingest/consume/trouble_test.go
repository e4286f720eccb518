package consume

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// restartable is a broker with a log on disk that can go away and come back at the same address.
type restartable struct {
	t       testing.TB
	dir     string
	port    int
	running *kfake.Cluster
}

func newRestartable(t testing.TB) (*restartable, cluster.Config) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &restartable{t: t, dir: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port}
	l.Close()
	b.start()
	t.Cleanup(func() { b.running.Close() })
	return b, cluster.Config{Brokers: []string{net.JoinHostPort("127.0.0.1", strconv.Itoa(b.port))}}
}

func (b *restartable) start() {
	b.t.Helper()
	var err error
	b.running, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.ClusterID("c1"), kfake.Ports(b.port), kfake.DataDir(b.dir),
		kfake.GroupMinSessionTimeout(100*time.Millisecond), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"}))
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestBrokerGoesAwayAndComesBack(t *testing.T) {
	b, at := newRestartable(t)
	if err := ensure(t, at, schemas.TopicXML, 4); err != nil {
		t.Fatal(err)
	}
	c := config(t, at)
	c.UntilEnd, c.FileRecords = false, 50
	w := start(t, c)
	last := 0
	for range 3 {
		documents(t, at, last+1, last+300, "x")
		last += 300
		eventually(t, "some records", func() bool { return w.seen.added.Load() > int64(last)-200 })
		b.running.Close()
		time.Sleep(200 * time.Millisecond)
		b.start()
	}
	eventually(t, "all records", func() bool { return w.seen.added.Load() >= int64(last) })
	if err := w.end(); err != nil {
		t.Error(err)
	}
	checkOnce(t, c, last)
}

func TestBrokerThatIsAwayAtTheStart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	if _, err := Run(t.Context(), config(t, cluster.Config{Brokers: []string{address}})); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("error %v, want one that names %s", err, address)
	}
}

// rejected runs and expects an error that says what happened and what to do.
func rejected(t *testing.T, c Config, want ...string) {
	t.Helper()
	before := files(t, c)
	_, err := newRun(c, hurried, patentParser(c)).start(t.Context())
	if fault.KindOf(err) != fault.Rejected {
		t.Fatalf("error %v, want a rejection", err)
	}
	for _, text := range want {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q does not say %q", err, text)
		}
	}
	if got := files(t, c); len(got) != len(before) {
		t.Errorf("files were written: %v", got)
	}
}

func TestTopicThatWasMadeAgain(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	documents(t, at, 1, 20, "x")
	consumed(t, c)

	// Shorter than what was read.
	_, c.Cluster = broker(t, 2)
	rejected(t, c, "was deleted and made again", "move the files patents.xml-0000")

	// As long or longer, so that only the time of the records tells.
	_, c.Cluster = broker(t, 2)
	documents(t, c.Cluster, 1, 200, "x")
	rejected(t, c, "was deleted and made again", "the record at offset")

	// With fewer partitions.
	_, c.Cluster = broker(t, 1)
	documents(t, c.Cluster, 1, 200, "x")
	rejected(t, c, "is of partition 1, but topic patents.xml has 1 partitions")

	// In another cluster.
	_, c.Cluster = broker(t, 2, kfake.ClusterID("c2"))
	documents(t, c.Cluster, 1, 200, "x")
	rejected(t, c, `"c1"`, `"c2"`, "another workspace")
}

// The topic is deleted and made again while the consumer waits for records.
func TestTopicIsMadeAgainMeanwhile(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	c.UntilEnd = false
	documents(t, at, 1, 20, "x")
	w := start(t, c)
	eventually(t, "the records", func() bool { return w.seen.added.Load() == 20 })
	client, err := at.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	if _, err := client.DeleteTopics(t.Context(), &kafka.DeleteTopicsRequest{Topics: []string{schemas.TopicXML}}); err != nil {
		t.Fatal(err)
	}
	if err := ensure(t, at, schemas.TopicXML, 1); err != nil {
		t.Fatal(err)
	}
	<-w.ended
	if fault.KindOf(w.err) != fault.Rejected || !strings.Contains(w.err.Error(), "was deleted and made again") {
		t.Errorf("error %v", w.err)
	}
	checkOnce(t, c, 20)
}

func TestRecordsThatExpired(t *testing.T) {
	cl, at := broker(t, 1)
	c := config(t, at)
	documents(t, at, 1, 30, "x")
	if err := cl.DeleteRecords(schemas.TopicXML, 0, 10); err != nil {
		t.Fatal(err)
	}
	if got := consumed(t, c); got.Documents != 20 || got.Missing != 10 {
		t.Errorf("before the first run: %+v", got)
	}
	documents(t, at, 31, 60, "x")
	if err := cl.DeleteRecords(schemas.TopicXML, 0, 40); err != nil {
		t.Fatal(err)
	}
	if got := consumed(t, c); got.Documents != 20 || got.Missing != 10 {
		t.Errorf("between two runs: %+v", got)
	}
	documents(t, at, 61, 70, "x")
	if err := cl.DeleteRecords(schemas.TopicXML, 0, 70); err != nil {
		t.Fatal(err)
	}
	if got := consumed(t, c); got.Documents != 0 || got.Missing != 10 || got.Files != 1 {
		t.Errorf("all that is new: %+v", got)
	}
	if got := len(rows(t, c)); got != 40 {
		t.Errorf("%d rows, want 40", got)
	}
	documents(t, at, 71, 71, "x")
	if got := consumed(t, c); got.Documents != 1 || got.Missing != 0 {
		t.Errorf("after that: %+v", got)
	}
}

// Records expire while an idle consumer waits for them behind a broker that does not give them.
func TestRecordsThatExpireMeanwhile(t *testing.T) {
	cl, at := broker(t, 1)
	c := config(t, at)
	c.UntilEnd, c.FileAge = false, 50*time.Millisecond
	documents(t, at, 1, 5, "x")
	w := start(t, c)
	eventually(t, "5 rows", func() bool { return len(rows(t, c)) == 5 })
	hold := make(chan struct{})
	cl.ControlKey(1, func(kmsg.Request) (kmsg.Response, error, bool) { // fetch
		cl.KeepControl()
		select {
		case <-hold:
			return nil, nil, false
		default:
			return nil, nil, true // no answer, and the connection ends
		}
	})
	documents(t, at, 6, 15, "x")
	if err := cl.DeleteRecords(schemas.TopicXML, 0, 15); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the gap to be published", func() bool { return len(files(t, c)) >= 2 })
	close(hold)
	documents(t, at, 16, 20, "x")
	eventually(t, "10 rows", func() bool { return len(rows(t, c)) == 10 })
	if err := w.end(); err != nil {
		t.Error(err)
	}
	if w.result.Missing != 10 {
		t.Errorf("%+v", w.result)
	}
}

// Producers with transactions leave markers in the log.
func TestTransactions(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	producer, err := kgo.NewClient(kgo.SeedBrokers(at.Brokers...), kgo.TransactionalID("t"), kgo.DefaultProduceTopic(schemas.TopicXML))
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	for n := 1; n <= 3; n++ {
		if err := producer.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		if err := producer.ProduceSync(t.Context(), &kgo.Record{Value: []byte(document(n, "", "x"))}).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if err := producer.EndTransaction(t.Context(), kgo.TryCommit); err != nil {
			t.Fatal(err)
		}
	}
	if got := consumed(t, c); got.Documents != 3 || got.DeadLetters != 0 || got.Records != 3 {
		t.Errorf("%+v", got)
	}
	checkOnce(t, c, 3)
	if got := consumed(t, c); got.Records != 0 {
		t.Errorf("a second run: %+v", got)
	}
}

func TestBrokenChainIsNotOverwritten(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	c.FileRecords = 5
	documents(t, at, 1, 20, "x")
	consumed(t, c)
	second := files(t, c)[1]
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), filepath.Base(second)) {
		t.Errorf("error %v, want one that names %s", err, second)
	}
}

// A table whose other partition has a file that cannot be read is not gone on with: what is in it is unknown.
func TestUnreadableFileOfAnotherTopic(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	documents(t, at, 1, 2, "x")
	odd := chain.Name{Topic: "older", Partition: 3}.Path(c.Workspace.Table("documents"))
	if err := os.MkdirAll(filepath.Dir(odd), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(odd, []byte("no parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), odd) {
		t.Errorf("error %v, want one that names %s", err, odd)
	}
}

// Dead letters that cannot be written keep their file from being published.
func TestLettersComeBeforeTheFile(t *testing.T) {
	cl, at := broker(t, 1)
	c := config(t, at)
	c.MaxDeadShare = 1
	publish(t, at, record(1, document(1, "", "x")), record(2, "no xml"))
	refuse := make(chan struct{})
	cl.ControlKey(0, func(kmsg.Request) (kmsg.Response, error, bool) { // produce
		cl.KeepControl()
		select {
		case <-refuse:
			return nil, nil, false
		default:
			return nil, context.DeadlineExceeded, true
		}
	})
	w := start(t, c)
	eventually(t, "2 records", func() bool { return w.seen.added.Load() >= 2 })
	time.Sleep(300 * time.Millisecond)
	if got := files(t, c); len(got) != 0 {
		t.Fatalf("published without its dead letter: %v", got)
	}
	close(refuse)
	<-w.ended
	if w.err != nil || w.result.DeadLetters != 1 || w.result.Documents != 1 {
		t.Errorf("%+v, %v", w.result, w.err)
	}
}

// TestBatchGivesUp has a batch read from a broker that joins members and answers no fetch.
func TestBatchGivesUp(t *testing.T) {
	b, at := newRestartable(t)
	if err := ensure(t, at, schemas.TopicXML, 4); err != nil {
		t.Fatal(err)
	}
	documents(t, at, 1, 200, "x")
	b.running.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: schemas.TopicXML, Count: -1, Err: kerr.NotLeaderForPartition})
	c := config(t, at)
	c.UntilEnd, c.FileAge, c.MaxWait = true, 100*time.Millisecond, 2*time.Second
	w := start(t, c)
	<-w.ended
	if w.err == nil || !strings.Contains(w.err.Error(), "gave up after 2s") {
		t.Errorf("error %v", w.err)
	}
	b.running.Close()
	b.start()
	c.MaxWait = time.Minute
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	checkOnce(t, c, 200)
}
