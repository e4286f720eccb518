package broker

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
)

func TestStopAndStart(t *testing.T) {
	c := testConfig(t.TempDir())
	b := open(t, c)
	first, id := b.Cluster(), clusterID(t, b)
	ensureTopic(t, first, 2)
	put(t, writer(t, first), "one", "two", "three")
	shut(t, b)

	b = open(t, c)
	defer shut(t, b)
	if b.Cluster().String() != first.String() || clusterID(t, b) != id {
		t.Errorf("started again at %s as %s, first at %s as %s", b.Cluster(), clusterID(t, b), first, id)
	}
	if got := readAll(t, b.Cluster()); len(got) != 3 {
		t.Errorf("records after the restart: %v", got)
	}
}

func clusterID(t *testing.T, b *Broker) string {
	t.Helper()
	id, err := cluster.ID(t.Context(), b.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestTakeOver has one process serve, this one and a third joined. The first is killed, and whoever takes over serves
// the same log on the same port, so that a writer that was there before goes on.
func TestTakeOver(t *testing.T) {
	dir := t.TempDir()
	owner := spawn(t, dir, true)
	b := open(t, testConfig(dir))
	defer shut(t, b)
	if b.Serving() {
		t.Fatal("two processes serve one workspace")
	}
	other := spawn(t, dir, false)
	ensureTopic(t, b.Cluster(), 2)
	w := writer(t, b.Cluster())
	put(t, w, "before")
	owner.kill()
	put(t, w, "after the kill")
	other.interrupt(t) // whether it serves now or not, it must hand over
	put(t, w, "after the end")
	awaitServing(t, b)
	for _, v := range []string{"before", "after the kill", "after the end"} {
		if readAll(t, b.Cluster())[v] == 0 {
			t.Errorf("record %q is lost", v)
		}
	}
}

func awaitServing(t *testing.T, b *Broker) {
	t.Helper()
	for !b.Serving() {
		if err := pause(t.Context(), watchEvery); err != nil {
			t.Fatal("nobody took over")
		}
	}
}

func TestTakeOverWithinAProcess(t *testing.T) {
	c := testConfig(t.TempDir())
	first, second := open(t, c), open(t, c)
	defer shut(t, second)
	ensureTopic(t, second.Cluster(), 1)
	w := writer(t, second.Cluster())
	put(t, w, "before")
	shut(t, first)
	put(t, w, "after")
	awaitServing(t, second)
	if got := readAll(t, second.Cluster()); got["before"] != 1 || got["after"] == 0 {
		t.Errorf("records %v", got)
	}
}

// TestKill kills the serving process again and again under four producers. No acknowledged record may be missing.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	p := spawn(t, dir, true)
	at, err := loadAddress(testConfig(dir).addressFile())
	if err != nil {
		t.Fatal(err)
	}
	c := cluster.Config{Brokers: []string{at.String()}}
	ensureTopic(t, c, 4)
	w := writer(t, c)
	w.WriteBackoffMin, w.WriteBackoffMax = 5*time.Millisecond, 20*time.Millisecond

	var (
		mu           sync.Mutex
		acknowledged []string
		producers    sync.WaitGroup
	)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for producer := range 4 {
		producers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				v := fmt.Sprintf("producer %d record %d %s", producer, n, strings.Repeat("x", 97*n%20000))
				if err := w.WriteMessages(ctx, kafka.Message{Key: []byte(v), Value: []byte(v)}); err == nil {
					mu.Lock()
					acknowledged = append(acknowledged, v)
					mu.Unlock()
				} else if ctx.Err() == nil {
					t.Errorf("producer %d gave up: %v", producer, err)
					return
				}
			}
		})
	}
	const kills = 20
	for n := range kills {
		time.Sleep(time.Duration(20+17*n%100) * time.Millisecond) // lets some writes pass; any length is right
		p.kill()
		p = spawn(t, dir, true)
	}
	stop()
	producers.Wait()
	found, twice := readAll(t, c), 0
	for _, v := range acknowledged {
		switch n := found[v]; {
		case n == 0:
			t.Errorf("acknowledged record %.30q is missing", v)
		case n > 1:
			twice++
		}
	}
	if len(acknowledged) < kills {
		t.Errorf("%d records were acknowledged between %d kills: too few to have tested anything", len(acknowledged), kills)
	}
	t.Logf("%d kills: %d records acknowledged, %d of them written twice", kills, len(acknowledged), twice)
}

func TestPortTaken(t *testing.T) {
	c := testConfig(t.TempDir())
	b := open(t, c)
	old := b.Cluster().Brokers[0]
	shut(t, b)
	l, err := net.Listen("tcp", old)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()

	b = open(t, c)
	if b.Cluster().Brokers[0] == old {
		t.Error("the broker says it listens where another program does")
	}
	shut(t, b)
	if _, err := fmt.Sscanf(old, "127.0.0.1:%d", &c.Port); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), "taken by another program") {
		t.Errorf("error %v", err)
	}
}

func TestHolderDoesNotAnswer(t *testing.T) {
	c := testConfig(t.TempDir())
	b := open(t, c)
	defer shut(t, b)
	if err := os.Remove(c.addressFile()); err != nil { // as if it had not come up yet
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, c)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint("process ", os.Getpid())) {
		t.Errorf("error %v does not name the process that holds the lock", err)
	}
}

func TestRun(t *testing.T) {
	c := testConfig(t.TempDir())
	b := open(t, c)
	ensureTopic(t, b.Cluster(), 3)
	put(t, writer(t, b.Cluster()), "one", "two")
	shut(t, b)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, c); err == nil {
		t.Error("a broker that could not be asked for its id has started")
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	c.Log = slog.New(slog.NewTextHandler(onLine(func(line string) {
		if strings.Contains(line, "embedded broker started") {
			cancel()
		}
	}), nil))
	r, err := Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	want := Topic{Name: topic, Partitions: 3, Records: 2}
	if len(r.Topics) != 1 || r.Topics[0].Bytes == 0 {
		t.Fatalf("result %+v", r)
	}
	r.Topics[0].Bytes = 0
	if r.Topics[0] != want || r.Address != b.Cluster().String() || r.ClusterID == "" {
		t.Errorf("result %+v", r)
	}
}

// onLine is called with each line of a log.
type onLine func(string)

func (f onLine) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"needs a workspace": func(c *Config) { c.Workspace = "" },
		"from 0 to 65535":   func(c *Config) { c.Port = 70000 },
		"must be 1MiB":      func(c *Config) { c.SpoolBytes = 1 << 10 },
	} {
		c := testConfig(t.TempDir())
		change(&c)
		_, err := Open(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v, want a usage error with %q", err, want)
		}
	}
}
