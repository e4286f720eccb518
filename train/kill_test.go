package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	childEnv = "DSSDNET_TRAIN_TEST_CHILD" // a Config as JSON: the test binary is the trainer then
	limitEnv = "DSSDNET_TRAIN_TEST_LIMIT" // largest file that the child may write, bytes
)

func TestMain(m *testing.M) {
	if text := os.Getenv(childEnv); text != "" {
		os.Exit(child(text))
	}
	os.Exit(m.Run())
}

func child(text string) int {
	var c Config
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if limit := os.Getenv(limitEnv); limit != "" {
		var n uint64
		if _, err := fmt.Sscan(limit, &n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		signal.Ignore(syscall.SIGXFSZ) // so that the write fails, as it does on a full disk
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	if _, err := Run(context.Background(), c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func start(t *testing.T, c Config, env ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childEnv+"="+string(text)), env...)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &stderr
}

// steps is how many steps the metrics of a run tell of.
func steps(dir string) int {
	data, err := os.ReadFile(filepath.Join(dir, metricsFile))
	if err != nil {
		return 0
	}
	return strings.Count(string(data), `"split":"train"`)
}

// TestKilledAndResumedIsTheSame kills a run at three steps, wherever in a step or a save that happens to be.
func TestKilledAndResumedIsTheSame(t *testing.T) {
	whole := small(t)
	whole.Epochs = 2
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	c := whole
	c.Run, c.Resume = "killed", true
	kills := 0
	for _, at := range []int{4, 9, 15} {
		cmd, stderr := start(t, c)
		var failed error
		ended := make(chan struct{})
		go func() { failed = cmd.Wait(); close(ended) }()
	wait:
		for {
			select {
			case <-ended:
				if failed != nil {
					t.Fatalf("the child failed: %v: %s", failed, stderr)
				}
				break wait // it was faster than the test
			case <-time.After(time.Millisecond):
				if steps(c.folder(1)) >= at {
					if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
						t.Fatal(err)
					}
					<-ended
					kills++
					break wait
				}
			}
		}
	}
	if kills == 0 {
		t.Skip("needs a machine on which the test sees a run before it has ended")
	}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	same(t, whole.folder(1), c.folder(1))
}

// TestFullDisk fails a save after good ones: what was saved before must still be whole.
func TestFullDisk(t *testing.T) {
	whole := small(t)
	whole.EvalSteps = 3 // so that the end of the first part, at 6, adds no validation
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	c := whole
	c.Run, c.MaxSteps = "full", 6
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.Resume, c.MaxSteps = true, 0
	cmd, stderr := start(t, c, limitEnv+"=100000")
	if err := cmd.Wait(); err == nil {
		t.Fatal("the child saved files larger than its limit")
	}
	if text := stderr.String(); !strings.Contains(text, "file too large") || !strings.Contains(text, "--resume") {
		t.Errorf("the child says %s", text)
	}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	same(t, whole.folder(1), c.folder(1))
}
