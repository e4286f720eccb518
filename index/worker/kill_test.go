package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dssdnet/index/indextest"
	"dssdnet/index/pool"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
)

// memberEnv makes the test binary a worker: "workspace|broker".
const memberEnv = "DSSDNET_TEST_INDEX_WORKER"

func TestMain(m *testing.M) {
	if where := os.Getenv(memberEnv); where != "" {
		dir, broker, _ := strings.Cut(where, "|")
		w := world{Dir: workspace.Dir(dir), at: cluster.Config{Brokers: []string{broker}}}
		if _, err := start(context.Background(), w.config(nil), hurried); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestKilledWorkersDrawEveryPoolOnce kills workers when some files have come or after random times, while others go on. The pools must be those of a
// search that nobody disturbs, each once.
func TestKilledWorkersDrawEveryPoolOnce(t *testing.T) {
	w := newWorld(t, 3)
	w.topics = indextest.Topics(w.patents, 600, 5)
	w.send(t, w.topics...)
	published := func() int {
		names, err := chain.List(pool.Dir(w.Dir, "test"))
		if err != nil {
			t.Error(err)
		}
		return len(names)
	}
	member := func() (killed bool) {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), memberEnv+"="+string(w.Dir)+"|"+w.at.Brokers[0])
		if err := process.Start(); err != nil {
			t.Error(err)
			return false
		}
		enough := published() + 1 + rand.IntN(15)
		for late := time.Now().Add(rand.N(4 * time.Second)); published() < enough && time.Now().Before(late); {
			time.Sleep(time.Millisecond)
		}
		_ = process.Process.Signal(syscall.SIGKILL)
		return process.Wait() != nil
	}
	var mu sync.Mutex
	kills := 0
	var lines sync.WaitGroup
	for range 2 {
		lines.Go(func() {
			for range 6 {
				if member() {
					mu.Lock()
					kills++
					mu.Unlock()
				}
			}
		})
	}
	lines.Wait()
	left := published()
	mustStart(t, w.config(t))
	t.Logf("%d processes were killed; they left %d of %d files", kills, left, published())
	if kills == 0 {
		t.Error("no process was killed: nothing was tested")
	}
	w.compare(t)
}
