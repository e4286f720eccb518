package pool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestWrittenPoolsReadBackInAnyOrder(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	dir := Dir(ws, "p")
	want := write(t, dir, 700, 300) // more than a row group
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	topics := r.Topics()
	if len(topics) != 699 || topics[0] != "T0001" { // T0000 has no candidates
		t.Fatalf("%d topics from %s on", len(topics), topics[0])
	}
	for i := range topics {
		topic := topics[(i*389)%len(topics)]
		got, err := r.Topic(topic)
		if err != nil || !slices.Equal(got, want[topic]) {
			t.Fatalf("%s: %d candidates, want %d, %v", topic, len(got), len(want[topic]), err)
		}
	}
	if got, err := r.Topic("T0000"); err != nil || got != nil {
		t.Errorf("a topic without candidates: %v, %v", got, err)
	}
	if m, err := LoadManifest(dir); err != nil || m.Stage != "test" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestDiscardedPoolLeavesTheOldOne(t *testing.T) {
	dir := Dir(workspace.Dir(t.TempDir()), "p")
	write(t, dir, 3, 3)
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	w.Discard()
	if r, err := Open(dir); err != nil {
		t.Error(err)
	} else if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".tmp-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestLockExcludesAndClearsUpItsOwn(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	root := ws.Table("pools")
	for _, name := range []string{".tmp-1-b", ".tmp-2-a-b", ".tmp-3-b"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := Lock(ws, "b")
	if err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(root, ".tmp-*"))
	if len(left) != 1 || filepath.Base(left[0]) != ".tmp-2-a-b" {
		t.Errorf("left over: %v, want only what belongs to pool a-b", left)
	}
	if _, err := Lock(ws, "b"); err == nil || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("the error of a second lock is %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestNoPool(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); fault.KindOf(err) != fault.Rejected {
		t.Errorf("the error is %v", err)
	}
	if _, err := LoadManifest(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

func TestCandidatesOfATopicFollowEachOther(t *testing.T) {
	dir := Dir(workspace.Dir(t.TempDir()), "p")
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{"T1", "T2", "T1"} {
		if err := w.Add(Query{TopicID: topic}, []schemas.Pool{{TopicID: topic, PatentID: "P", Rank: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Commit(manifest.Manifest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "T1") {
		t.Errorf("the error is %v", err)
	}
}

// write makes a pool of topics of which the i-th has i candidates, at most most.
func write(t *testing.T, dir string, topics, most int) map[string][]schemas.Pool {
	t.Helper()
	w, err := NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	written := make(map[string][]schemas.Pool)
	for i := range topics {
		topic := fmt.Sprintf("T%04d", i)
		var rows []schemas.Pool
		n := i
		if i >= most {
			n = most
		}
		for k := range n {
			rows = append(rows, schemas.Pool{
				TopicID: topic, PatentID: fmt.Sprintf("EP-%07d", 7*k+i), Rank: int32(k + 1), Score: 1 / float64(k+1), IndexBuild: "b",
			})
		}
		if err := w.Add(Query{TopicID: topic, Hits: n}, rows); err != nil {
			t.Fatal(err)
		}
		written[topic] = rows
	}
	if err := w.Commit(manifest.Manifest{Stage: "test"}); err != nil {
		t.Fatal(err)
	}
	return written
}
