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

// TestKilledWorkersDrawEveryPoolOnce kills workers after random times while others go on. The pools must be those of a
// search that nobody disturbs, each once.
func TestKilledWorkersDrawEveryPoolOnce(t *testing.T) {
	w := newWorld(t, 3)
	w.topics = indextest.Topics(w.patents, 300, 5)
	w.send(t, w.topics...)
	member := func() (killed bool) {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), memberEnv+"="+string(w.Dir)+"|"+w.at.Brokers[0])
		if err := process.Start(); err != nil {
			t.Error(err)
			return false
		}
		time.Sleep(time.Duration(rand.Int64N(int64(4 * time.Second))))
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
	mustStart(t, w.config(t))
	if kills == 0 {
		t.Error("no process was killed: nothing was tested")
	}
	w.compare(t)
}
