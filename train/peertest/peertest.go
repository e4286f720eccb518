// Package peertest lets a benchmark and its peer in Python take turns, so that other work on the machine slows both
// alike.
package peertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Seconds of one run: by the clock, and of the process's processor time, which other load disturbs less.
type Seconds struct {
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

// Time measures one run.
func Time(run func() error) (Seconds, error) {
	start, used := time.Now(), processorTime()
	if err := run(); err != nil {
		return Seconds{}, err
	}
	return Seconds{time.Since(start).Seconds(), (processorTime() - used).Seconds()}, nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Peer is a process that writes a line when it is ready, then reads the name of a task a line, runs it once, and
// answers with Seconds as JSON.
type Peer struct {
	tasks io.WriteCloser
	lines *bufio.Scanner
}

// Start runs a script until the benchmark ends. It is nil when DSSDNET_PYTHON is not set. A Python that cannot run the
// script skips the benchmark; needs says what the script imports.
func Start(b *testing.B, needs, script string, args ...string) *Peer {
	b.Helper()
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		return nil
	}
	cmd := exec.Command(python, append([]string{script}, args...)...)
	cmd.Stderr = os.Stderr
	tasks, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Skipf("cannot start %s: %v", python, err)
	}
	b.Cleanup(func() {
		_ = tasks.Close() // the end of its tasks is its end
		_ = cmd.Wait()
	})
	p := &Peer{tasks, bufio.NewScanner(out)}
	if !p.lines.Scan() {
		b.Skipf("%s cannot run %s (needs %s)", python, script, needs)
	}
	return p
}

// Run runs a task once.
func (p *Peer) Run(task string) (Seconds, error) {
	var s Seconds
	if _, err := fmt.Fprintln(p.tasks, task); err != nil {
		return s, fmt.Errorf("the peer ended before %s: %w", task, err)
	}
	if !p.lines.Scan() {
		return s, fmt.Errorf("the peer ended during %s", task)
	}
	if err := json.Unmarshal(p.lines.Bytes(), &s); err != nil {
		return s, fmt.Errorf("the peer answered %q to %s: %w", p.lines.Text(), task, err)
	}
	return s, nil
}
