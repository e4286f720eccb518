package build

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"dssdnet/index"
	"dssdnet/index/indextest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// buildEnv makes the test binary a process that builds the index of the workspace it names.
const buildEnv = "DSSDNET_TEST_INDEX_BUILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(buildEnv); dir != "" {
		if _, err := Run(context.Background(), killConfig(workspace.Dir(dir))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killConfig(ws workspace.Dir) Config {
	c := Default()
	c.Workspace, c.Workers, c.BuildBytes, c.MaxDeltaShare, c.Keep = ws, 2, 16<<20, 1, 1
	return c
}

// TestKilledAtAnyMoment kills builds from nothing and increments after random times. After every kill the current
// build must be whole, one of the states of patents/; the last run, undisturbed, must make the newest state.
func TestKilledAtAnyMoment(t *testing.T) {
	all := indextest.Shape{Patents: 3000, Vocabulary: 3000, Length: 40, Seed: 8}.Make()
	ws := workspace.Dir(t.TempDir())
	states := [][]schemas.Patent{all[:2500], all[:2600], all[100:2700], all[100:]}
	names := make(map[string]bool)
	slowest := time.Duration(0)
	for _, patents := range states { // what the builds are called when nobody kills them
		other := workspace.Dir(t.TempDir())
		indextest.WritePatents(t, other, patents, 700)
		started := time.Now()
		result, err := Run(t.Context(), killConfig(other))
		if err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(started))
		names[result.Build] = true
	}
	kills := 0
	for _, patents := range states {
		indextest.WritePatents(t, ws, patents, 700)
		for range 5 {
			process := exec.Command(os.Args[0])
			process.Env = append(os.Environ(), buildEnv+"="+string(ws))
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(rand.Int64N(int64(slowest))))
			_ = process.Process.Signal(syscall.SIGKILL)
			if process.Wait() != nil {
				kills++
			}
			whole(t, ws, names)
		}
	}
	result, err := Run(t.Context(), killConfig(ws))
	if err != nil {
		t.Fatal(err)
	}
	fresh := workspace.Dir(t.TempDir())
	indextest.WritePatents(t, fresh, states[len(states)-1], 700)
	want, err := Run(t.Context(), killConfig(fresh))
	if err != nil {
		t.Fatal(err)
	}
	if result.Build != want.Build {
		t.Errorf("after %d kills the build is %s, want %s", kills, result.Build, want.Build)
	}
	sameIndex(t, openIndex(t, ws), openIndex(t, fresh))
	if left, _ := filepath.Glob(filepath.Join(ws.Table("index"), ".tmp-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if kills == 0 {
		t.Error("no process was killed: nothing was tested")
	}
}

// whole checks that the current build, if there is one, opens and is one of the expected.
func whole(t *testing.T, ws workspace.Dir, names map[string]bool) {
	t.Helper()
	dir, err := index.Current(ws.Table("index"))
	if err != nil {
		return // killed before there was one
	}
	ix, err := index.Open(t.Context(), dir, index.Options{})
	if err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	if !names[ix.Name()] {
		t.Errorf("after a kill the build is %s", ix.Name())
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}
