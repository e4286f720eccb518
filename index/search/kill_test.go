package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dssdnet/index/pool"
	"dssdnet/internal/workspace"
)

// searchEnv makes the test binary a process that draws the pool of the workspace it names.
const searchEnv = "DSSDNET_TEST_INDEX_SEARCH"

func TestMain(m *testing.M) {
	if dir := os.Getenv(searchEnv); dir != "" {
		w := world{Dir: workspace.Dir(dir)}
		if _, err := Run(context.Background(), w.config(forced)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func forced(c *Config) { c.Force = true }

// TestKilledAtAnyMoment kills searches after random times. A pool must be there whole or not at all, and a run that
// is left alone must make the one that was made before.
func TestKilledAtAnyMoment(t *testing.T) {
	w := newWorld(t)
	started := time.Now()
	w.run(t, nil)
	span := 2 * time.Since(started)
	want := w.files(t)
	if err := os.RemoveAll(pool.Dir(w.Dir, "test")); err != nil {
		t.Fatal(err)
	}
	kills := 0
	for range 20 {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), searchEnv+"="+string(w.Dir))
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(span))))
		_ = process.Process.Signal(syscall.SIGKILL)
		if process.Wait() != nil {
			kills++
		}
		if _, err := os.Stat(pool.Dir(w.Dir, "test")); err == nil {
			w.same(t, want)
		}
	}
	if kills == 0 {
		t.Error("no process was killed: nothing was tested")
	}
	w.run(t, forced)
	w.same(t, want)
	if left, _ := filepath.Glob(filepath.Join(w.Table("pools"), ".tmp-*")); len(left) > 0 {
		t.Errorf("left over: %s", strings.Join(left, ", "))
	}
}

func (w *world) same(t *testing.T, want map[string]string) {
	t.Helper()
	for name, text := range w.files(t) {
		if text != want[name] {
			t.Errorf("%s is another after a kill", name)
		}
	}
	if _, err := pool.LoadManifest(pool.Dir(w.Dir, "test")); err != nil {
		t.Error(err)
	}
}
