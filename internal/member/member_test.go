package member

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/schemas"
)

const topic = "numbers"

// copier is a stage that writes the key of each record as a row, three to a file.
type copier struct {
	folder *chain.Folder[schemas.Qrel]
	begin  error
	own    func(ctx context.Context, m *Member) error // before a partition is read
	member *Member

	mu  sync.Mutex
	lag map[int]int64
}

func (c *copier) Begin(m *Member) error {
	c.member = m
	return c.begin
}

func (c *copier) Own(ctx context.Context, p *Partition, at chain.Position) error {
	if c.own != nil {
		if err := c.own(ctx, c.member); err != nil {
			return err
		}
	}
	records, err := p.Open(ctx, at)
	if err != nil {
		return err
	}
	defer records.Close()
	end, _ := p.End()
	for next := at.Next; ; {
		w, err := c.folder.Create(p.Source, next)
		if err != nil {
			return err
		}
		defer w.Discard()
		var last time.Time
		for n := 0; n < 3 && records.Next() < end; n++ {
			m, gap, err := records.Read(ctx)
			if err != nil {
				return err
			}
			if last = m.Time; gap > 0 {
				continue
			}
			if err := w.Write([]schemas.Qrel{{TopicID: string(m.Key)}}); err != nil {
				return err
			}
		}
		next = records.Next()
		if _, err := w.Publish(chain.End{Last: next - 1, LastTime: last}); err != nil {
			return err
		}
		if p.Published(next) {
			return nil
		}
	}
}

func (c *copier) setLag(partition int, records int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lag[partition] = records
}

func setUp(t *testing.T, records int) (*kfake.Cluster, Config, *copier) {
	t.Helper()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.GroupMinSessionTimeout(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	at := cluster.Config{Brokers: broker.ListenAddrs()}
	if err := cluster.EnsureTopic(t.Context(), at, topic, 2, nil); err != nil {
		t.Fatal(err)
	}
	w, err := cluster.NewWriter(at, topic, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(w.Transport)
	for n := range records {
		if err := w.WriteMessages(t.Context(), kafka.Message{Key: fmt.Append(nil, n), Value: []byte("x")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	stage := &copier{folder: chain.NewFolder[schemas.Qrel](t.TempDir(), schemas.Qrels), lag: make(map[int]int64)}
	return broker, Config{
		Cluster: at, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Topic: topic, Group: "copiers",
		Pace:     Pace{Quiet: 300 * time.Millisecond, Goal: 20 * time.Millisecond, Backoff: 50 * time.Millisecond, Added: time.Second},
		UntilEnd: true, SessionTimeout: 300 * time.Millisecond, Lag: stage.setLag,
	}, stage
}

// covered adds up the rows and offsets of all partitions.
func (c *copier) covered(t *testing.T) (rows, offsets int64) {
	t.Helper()
	names, err := chain.List(c.folder.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		footer, err := chain.ReadFooter(n.Path(c.folder.Dir()), schemas.Qrels)
		if err != nil {
			t.Fatal(err)
		}
		rows += footer.Rows
		offsets += footer.Last + 1 - n.First
	}
	return rows, offsets
}

func TestBoundedRunCoversTheTopic(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	broker, c, stage := setUp(t, 40)
	defer broker.Close()
	if err := broker.DeleteRecords(topic, 0, 4); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to do
		if err := Run(t.Context(), c, stage.folder, stage); err != nil {
			t.Fatal(err)
		}
		if rows, offsets := stage.covered(t); rows != 36 || offsets != 40 {
			t.Errorf("%d rows of %d offsets, want 36 of 40", rows, offsets)
		}
	}
	if got := stage.member.Left(); got != 0 {
		t.Errorf("%d records left", got)
	}
	if stage.lag[0] != 0 || stage.lag[1] != 0 || len(stage.lag) != 2 {
		t.Errorf("lag %v in the end", stage.lag)
	}
}

func TestErrorsEndTheRun(t *testing.T) {
	broken := errors.New("the disk is full")
	_, c, stage := setUp(t, 10)
	stage.begin = broken
	if err := Run(t.Context(), c, stage.folder, stage); !errors.Is(err, broken) {
		t.Errorf("of Begin: %v", err)
	}
	stage.begin, stage.own = nil, func(context.Context, *Member) error { return broken }
	if err := Run(t.Context(), c, stage.folder, stage); !errors.Is(err, broken) {
		t.Errorf("of Own: %v", err)
	}
	c.Topic = "other"
	missing := (*cluster.NoTopicError)(nil)
	if err := Run(t.Context(), c, stage.folder, stage); !errors.As(err, &missing) {
		t.Errorf("of a topic that does not exist: %v", err)
	}
}

// The end of the caller's context is the normal end of a run without an end, and no end of a bounded one.
func TestInterruption(t *testing.T) {
	for _, bounded := range []bool{false, true} {
		_, c, stage := setUp(t, 10)
		c.UntilEnd = bounded
		ctx, cancel := context.WithCancel(t.Context())
		stage.own = func(ctx context.Context, _ *Member) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		}
		if err := Run(ctx, c, stage.folder, stage); errors.Is(err, context.Canceled) != bounded || (err != nil) != bounded {
			t.Errorf("bounded %v: %v", bounded, err)
		}
	}
}

func TestStageThatDoesNothingIsGivenUp(t *testing.T) {
	_, c, stage := setUp(t, 10)
	c.MaxWait = 300 * time.Millisecond
	stage.own = func(ctx context.Context, _ *Member) error {
		<-ctx.Done()
		return ctx.Err()
	}
	if err := Run(t.Context(), c, stage.folder, stage); err == nil || !strings.Contains(err.Error(), "partitions [0 1] of topic numbers") {
		t.Errorf("error %v", err)
	}
}

func TestStageThatWorksIsNotGivenUp(t *testing.T) {
	_, c, stage := setUp(t, 10)
	c.MaxWait = 2 * time.Second
	stage.own = func(ctx context.Context, m *Member) error {
		for range 30 {
			m.Working()
			if !pause(ctx, 100*time.Millisecond) {
				return ctx.Err()
			}
		}
		return nil
	}
	if err := Run(t.Context(), c, stage.folder, stage); err != nil {
		t.Error(err)
	}
	if rows, _ := stage.covered(t); rows != 10 {
		t.Errorf("%d rows, want 10", rows)
	}
}
