package worker

import (
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dssdnet/internal/fault"
)

// TestBoundedRunGivesUp has queries at a broker that lets workers join and answers no fetch.
func TestBoundedRunGivesUp(t *testing.T) {
	w := newWorld(t, 2)
	w.enqueue(t)
	w.broker.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Topic: "queries", Count: -1, Err: kerr.NotLeaderForPartition})
	c := w.config(t)
	c.FileAge, c.MaxWait = 100*time.Millisecond, 2*time.Second
	if _, err := start(t.Context(), c, hurried); err == nil || !strings.Contains(err.Error(), "gave up after 2s") {
		t.Errorf("error %v", err)
	}
	if files := w.files(t); len(files) > 0 {
		t.Errorf("files were written: %v", files)
	}
}

// Queries that expired before they were read leave no hole in the files.
func TestQueriesThatExpired(t *testing.T) {
	w := newWorld(t, 1)
	w.send(t, w.topics[:20]...)
	if err := w.broker.DeleteRecords("queries", 0, 20); err != nil {
		t.Fatal(err)
	}
	c := w.config(t)
	if result := mustStart(t, c); result.Files != 1 || result.Topics != 0 {
		t.Errorf("all queries have expired: %+v", result)
	}
	w.send(t, w.topics...)
	if err := w.broker.DeleteRecords("queries", 0, 25); err != nil {
		t.Fatal(err)
	}
	if result := mustStart(t, c); result.Topics != int64(len(w.topics))-5 {
		t.Errorf("5 queries have expired: %+v", result)
	}
	w.send(t, w.topics[:5]...)
	mustStart(t, c)
	w.compare(t)
}

func TestTopicThatDoesNotExist(t *testing.T) {
	w := newWorld(t, 1)
	c := w.config(t)
	c.FromTopic = "requests"
	_, err := start(t.Context(), c, hurried)
	if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "has no topic requests") || !strings.Contains(err.Error(), "index enqueue") {
		t.Errorf("error %v", err)
	}
}
