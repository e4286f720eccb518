package sampler

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dssdnet/internal/durable"
)

// TestKill kills runs of another seed at random moments. What stands is always the whole output of one seed.
func TestKill(t *testing.T) {
	c := config(smallTables().workspace(t))
	outputs := map[int64]map[string][]byte{}
	for _, seed := range []int64{1, 2} {
		c.Seed = seed
		run(t, c)
		outputs[seed] = output(t, c)
	}
	seed := int64(1)
	begun := time.Now()
	start := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childWorkspace+"="+string(c.Workspace), childSeed+"="+strconv.FormatInt(seed, 10))
		return cmd
	}
	if out, err := start().CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	undisturbed := time.Since(begun)
	r := rand.New(rand.NewPCG(1, 1))
	for range 12 {
		seed = 3 - seed
		cmd := start()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(undisturbed))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if got := output(t, c); !same(got, outputs[1]) && !same(got, outputs[2]) {
			t.Fatalf("what stands is neither output: %d files", len(got))
		}
	}
	c.Seed, c.Force = 1, true
	run(t, c)
	if !same(output(t, c), outputs[1]) {
		t.Error("the run after is not an undisturbed one")
	}
	for _, dir := range []string{c.Workspace.Temp(), filepath.Join(string(c.Workspace), "pairs")} {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			if e.Name() != c.Pairs {
				t.Errorf("left over in %s: %s %v", dir, e.Name(), err)
			}
		}
	}
}

func same(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			return false
		}
	}
	return true
}

// TestFailureLeavesTheOldPairs fails a run whose pool was replaced by a bad one.
func TestFailureLeavesTheOldPairs(t *testing.T) {
	in := smallTables()
	c := config(in.workspace(t))
	run(t, c)
	before := output(t, c)
	in.pools[0].IndexBuild = "b2"
	writePool(t, c.Workspace, "bm25", in.pools)
	if _, err := Run(context.Background(), c); err == nil {
		t.Fatal("a pool of two builds goes through")
	}
	if !same(output(t, c), before) {
		t.Error("the old pairs are not what they were")
	}
}

func TestTwoRunsExclude(t *testing.T) {
	c := config(smallTables().workspace(t))
	lock, err := durable.TryLock(filepath.Join(c.Workspace.Manifests(), "sample.p.lock"), "process 7")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "another run is writing pairs p (process 7): wait for it") {
		t.Errorf("error is %v", err)
	}
	c.Pairs = "q"
	run(t, c)
}
