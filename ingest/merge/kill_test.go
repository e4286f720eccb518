package merge

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// mergeEnv makes the test binary a process that merges the workspace it names.
const mergeEnv = "DSSDNET_TEST_MERGE"

func TestMain(m *testing.M) {
	flag.Parse()
	if dir := os.Getenv(mergeEnv); dir != "" {
		c := killConfig(workspace.Dir(dir))
		if _, err := Run(context.Background(), c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// Every check of TestSameWhateverTheBatches is half a dozen merges; -rapid.checks asks for more.
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("25")
	}
	os.Exit(m.Run())
}

func killConfig(w workspace.Dir) Config {
	c := Default()
	c.Workspace, c.MemoryLimit, c.Threads, c.FileBytes = w, minMemory, 2, 20_000
	return c
}

// mergeProcess is a process that merges w.
func mergeProcess(w workspace.Dir) *exec.Cmd {
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), mergeEnv+"="+string(w))
	return process
}

// TestKilledAtAnyMoment kills merges after random times. The tables after the last merge, undisturbed, must equal
// those of a workspace where nothing was ever killed.
func TestKilledAtAnyMoment(t *testing.T) {
	undisturbed, killed := workspace.Dir(t.TempDir()), workspace.Dir(t.TempDir())
	batch := func(k int) {
		var rows []schemas.Document
		for i := range 300 {
			ucid := fmt.Sprintf("EP-%07d-A%d", (i*37+k*1013)%400, k%2+1)
			rows = append(rows, document(ucid, int64(k*1000+i), func(d *schemas.Document) {
				d.DescriptionDE = strings.Repeat(ucid, 40)
				if (i+k)%17 == 0 {
					d.Status = "deleted"
				}
			}))
		}
		for _, w := range []workspace.Dir{undisturbed, killed} {
			addDocuments(t, w, fmt.Sprintf("batch-%02d", k), rows...)
		}
	}
	batch(0)
	mustRun(t, killConfig(undisturbed))
	started := time.Now()
	if says, err := mergeProcess(undisturbed).CombinedOutput(); err != nil {
		t.Fatalf("the merge failed: %v: %s", err, says)
	}
	// That one had nothing to merge. A merge here takes a few times as long.
	longest := 4 * time.Since(started)

	const kills = 24
	stopped := 0
	for k := 1; stopped < kills; k++ {
		process := mergeProcess(killed)
		var says strings.Builder
		process.Stderr = &says
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(rand.N(longest), func() { _ = process.Process.Kill() })
		err := process.Wait()
		timer.Stop()
		if status, ok := process.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			stopped++
		} else if err != nil {
			t.Fatalf("the merge failed: %v: %s", err, says.String())
		} else {
			batch(k % 20) // it came through: give it something to do
		}
		if s := loadState(killed.Table("patents")); s.broken != "" && s.broken != "there is no patents table yet" {
			t.Fatalf("after kill %d: %s", stopped, s.broken)
		}
	}
	t.Logf("%d merges killed", stopped)
	batch(20)
	mustRun(t, killConfig(killed))
	mustRun(t, killConfig(undisturbed))
	if diff := cmp.Diff(contents(t, undisturbed), contents(t, killed)); diff != "" {
		t.Error(diff)
	}
	if left, err := os.ReadDir(filepath.Join(killed.Temp(), stage)); !os.IsNotExist(err) {
		t.Errorf("left over: %v %v", left, err)
	}
	if left, _ := filepath.Glob(filepath.Join(string(killed), "*", ".tmp-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
