package consume

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// worker is a run in the background.
type worker struct {
	stop   context.CancelFunc
	ended  chan struct{}
	result Result
	err    error
	seen   *counter
}

func start(t testing.TB, c Config) *worker {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &worker{stop: cancel, ended: make(chan struct{}), seen: &counter{}}
	c.Progress = w.seen
	go func() {
		defer close(w.ended)
		w.result, w.err = newRun(c, hurried, patentParser(c)).start(ctx)
	}()
	t.Cleanup(func() { _ = w.end() })
	return w
}

func (w *worker) end() error {
	w.stop()
	<-w.ended
	return w.err
}

func TestMembersShareThePartitions(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	c.UntilEnd, c.FileRecords = false, 20
	last := 0
	// work publishes documents until a member has got some of them.
	work := func(w *worker) {
		t.Helper()
		before := w.seen.added.Load()
		eventually(t, "a member to work", func() bool {
			documents(t, at, last+1, last+10, "x")
			last += 10
			return w.seen.added.Load() > before+5
		})
	}
	first := start(t, c)
	work(first)
	second := start(t, c) // joins
	work(second)
	work(first)
	if err := first.end(); err != nil { // leaves
		t.Error(err)
	}
	third := start(t, c)
	work(third)
	c.UntilEnd = true
	bounded := start(t, c)
	for i, w := range []*worker{second, third} { // the bounded one gets their partitions
		if err := w.end(); err != nil {
			t.Errorf("member %d: %v", i, err)
		}
	}
	<-bounded.ended
	if bounded.err != nil {
		t.Error(bounded.err)
	}
	checkOnce(t, c, last)
}

// Bounded runs side by side end when the files of all partitions reach the end, whoever wrote them.
func TestBoundedMembersEndTogether(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	documents(t, at, 1, 400, "x")
	members := []*worker{start(t, c), start(t, c), start(t, c)}
	var total int64
	for _, m := range members {
		<-m.ended
		if m.err != nil {
			t.Error(m.err)
		}
		total += m.result.Documents
	}
	if total != 400 {
		t.Errorf("%d documents together, want 400", total)
	}
	checkOnce(t, c, 400)
}

// A bounded member whose partner goes away takes the partner's partitions over.
func TestBoundedMemberFinishesForOthers(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	documents(t, at, 1, 400, "x")
	slow := c
	slow.UntilEnd = false // holds what it has read back until it is stopped
	partner := start(t, slow)
	eventually(t, "the partner to work", func() bool { return partner.seen.added.Load() == 400 })
	bounded := start(t, c)
	if err := partner.end(); err != nil {
		t.Error(err)
	}
	<-bounded.ended
	if bounded.err != nil {
		t.Error(bounded.err)
	}
	checkOnce(t, c, 400)
}

// An owner that does not know that it was replaced has an open file. The new owner publishes first; the old one loses
// the race for the name and goes on after it.
func TestReplacedOwnerLosesTheRace(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	c.UntilEnd, c.FileRecords = false, 20
	documents(t, at, 1, 10, "x")
	zombie := start(t, c)
	eventually(t, "10 records", func() bool { return zombie.seen.added.Load() == 10 })
	if len(files(t, c)) != 0 {
		t.Fatal("the file is published already")
	}
	owner := config(t, at)
	owner.Workspace, owner.Group, owner.FileRecords = c.Workspace, "other", 4
	if got := consumed(t, owner); got.Files != 3 {
		t.Fatalf("%+v", got)
	}
	documents(t, at, 11, 30, "x") // fills the zombie's file
	eventually(t, "the zombie to go on", func() bool { return len(rows(t, c)) == 30 })
	if err := zombie.end(); err != nil {
		t.Error(err)
	}
	if zombie.result.Documents != 20 {
		t.Errorf("the zombie published %d documents, want the 20 new ones", zombie.result.Documents)
	}
	checkOnce(t, c, 30)
}

// The offsets in Kafka are only a hint: whatever they say, the files decide.
func TestCommittedOffsetsDecideNothing(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	documents(t, at, 1, 20, "x")
	client, err := at.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	for _, offset := range []int64{15, 3} {
		reply, err := client.OffsetCommit(t.Context(), &kafka.OffsetCommitRequest{GroupID: c.Group, GenerationID: -1,
			Topics: map[string][]kafka.OffsetCommit{schemas.TopicXML: {{Partition: 0, Offset: offset}}}})
		if err == nil {
			err = reply.Topics[schemas.TopicXML][0].Error
		}
		if err != nil {
			t.Fatal(err)
		}
		consumed(t, c)
		checkOnce(t, c, 20)
	}
}

func TestOffsetsAreCommitted(t *testing.T) {
	cl, at := broker(t, 2)
	c := config(t, at)
	documents(t, at, 1, 50, "x")
	consumed(t, c)
	var committed int64
	for _, commit := range cl.GroupInfo(c.Group).Commits[schemas.TopicXML] {
		committed += commit.Offset
	}
	if committed != 50 {
		t.Errorf("committed offsets add up to %d, want 50", committed)
	}
}

func TestLagIsReported(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	documents(t, at, 1, 50, "x")
	gate := make(chan struct{})
	held := func() parser { return parserFunc(func() { <-gate }) }
	seen := &counter{}
	run := newRun(c, hurried, held)
	run.config.Progress, run.config.ParseWorkers = seen, 1
	ended := make(chan error)
	go func() {
		_, err := run.start(t.Context())
		ended <- err
	}()
	eventually(t, "a lag", func() bool { return seen.gauge("lag") > 0 && seen.gauge("lag_0") == seen.gauge("lag") })
	close(gate)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := seen.gauge("lag"); got != 0 {
		t.Errorf("lag %g in the end", got)
	}
}

func TestPartitionsAreAdded(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	c.UntilEnd = false
	documents(t, at, 1, 20, "x")
	w := start(t, c)
	eventually(t, "20 records", func() bool { return w.seen.added.Load() == 20 })
	client, err := at.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	if _, err := client.CreatePartitions(t.Context(), &kafka.CreatePartitionsRequest{
		Topics: []kafka.TopicPartitionsConfig{{Name: schemas.TopicXML, Count: 3}}}); err != nil {
		t.Fatal(err)
	}
	documents(t, at, 21, 60, "x")
	eventually(t, "60 records", func() bool { return w.seen.added.Load() >= 60 })
	if err := w.end(); err != nil {
		t.Error(err)
	}
	checkOnce(t, c, 60)
}

// Documents that take longer to parse than those after them keep their places.
func TestOrderIsKept(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	c.ParseWorkers, c.FileRecords = 8, 17
	documents(t, at, 1, 300, "x")
	var turn sync.Mutex
	n := 0
	uneven := func() parser {
		return parserFunc(func() {
			turn.Lock()
			n++
			wait := time.Duration(n%7) * time.Millisecond
			turn.Unlock()
			time.Sleep(wait)
		})
	}
	if _, err := newRun(c, hurried, uneven).start(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkOnce(t, c, 300)
}

func TestWriteErrorEndsTheRun(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	documents(t, at, 1, 3, "x")
	// A folder stands where the first file belongs: the name is taken by something that is no file of the chain.
	dir := c.Workspace.Table("documents")
	blocked := chain.Name{Topic: schemas.TopicXML, Partition: 0, First: 0}.Path(dir)
	if err := makeDir(blocked); err != nil {
		t.Fatal(err)
	}
	if _, err := newRun(c, hurried, patentParser(c)).start(t.Context()); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	c.Workspace = workspace.Dir(fmt.Sprint(c.Workspace, "/missing\x00"))
	if _, err := Run(t.Context(), c); err == nil {
		t.Error("no error for a folder that cannot be")
	}
}
