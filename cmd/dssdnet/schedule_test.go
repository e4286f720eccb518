package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dssdnet/internal/durable"
)

const batches = `version: 1
name: batches
steps:
  - step: consume
    stage: ingest consume
  - step: merge
    stage: ingest merge
`

// scheduler is a process of dssdnet schedule.
type scheduler struct {
	t   *testing.T
	cmd *exec.Cmd
	out bytes.Buffer

	mu  sync.Mutex
	log bytes.Buffer
}

// Write takes standard error.
func (s *scheduler) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

func (s *scheduler) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

func startScheduler(t *testing.T, workspace string, flags ...string) *scheduler {
	t.Helper()
	file := filepath.Join(t.TempDir(), "batches.yaml")
	if err := os.WriteFile(file, []byte(batches), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &scheduler{t: t}
	words := append([]string{"schedule", file, "--workspace", workspace, "--json", "--metrics-addr", "127.0.0.1:0"}, flags...)
	s.cmd = exec.Command("dssdnet", words...)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, s
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// waitFor returns when the log has a line, or a part of one. A minute is the patience of the test, not what it measures.
func (s *scheduler) waitFor(what string, times int) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); strings.Count(s.said(), what) < times; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("the log has %d times %q, want %d:\n%s", strings.Count(s.said(), what), what, times, s.said())
		}
	}
}

// stop ends the scheduler with SIGTERM and returns its exit code and what it did.
func (s *scheduler) stop() (int, map[string]any) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	code := 0
	var exit *exec.ExitError
	if err := s.cmd.Wait(); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		s.t.Fatal(err)
	}
	var result map[string]any
	if err := json.Unmarshal(s.out.Bytes(), &result); err != nil {
		s.t.Fatalf("%v: %s\n%s", err, s.out.String(), s.said())
	}
	return code, result
}

func (s *scheduler) metrics() string {
	s.t.Helper()
	s.waitFor("serving metrics", 1)
	address := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(s.said())[1]
	reply, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer reply.Body.Close()
	page, err := io.ReadAll(reply.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(page)
}

func patents(t *testing.T, workspace string) string {
	t.Helper()
	out := succeed(t, workspace, "query", "--format", "csv", "SELECT count(*) AS n FROM patents")
	return strings.TrimSpace(strings.TrimPrefix(out, "n\n"))
}

func TestScheduleTakesWhatIsNew(t *testing.T) {
	workspace, collection := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "collection")
	succeed(t, "", "synth", collection, "--patents", "40", "--topics", "0")
	s := startScheduler(t, workspace, "--when-new", "10", "--poll", "1s")
	s.waitFor("embedded broker started", 1)
	succeed(t, workspace, "ingest", "publish", filepath.Join(collection, "collection"))
	s.waitFor("outcome=done", 1)
	if n := patents(t, workspace); n != "40" {
		t.Errorf("%s patents after the first batch", n)
	}
	page := s.metrics()
	for _, line := range []string{`dssdnet_schedule_runs_total{outcome="done",pipeline="batches"} 1`, `dssdnet_schedule_running{pipeline="batches"} 0`} {
		if !strings.Contains(page, line) {
			t.Errorf("/metrics has no %s", line)
		}
	}
	second := filepath.Join(t.TempDir(), "second")
	succeed(t, "", "synth", second, "--patents", "70", "--topics", "0")
	succeed(t, workspace, "ingest", "publish", filepath.Join(second, "collection"))
	s.waitFor("outcome=done", 2)
	if n := patents(t, workspace); n != "70" {
		t.Errorf("%s patents after the second batch", n)
	}
	code, result := s.stop()
	if code != 0 || fmt.Sprint(result["runs"]) != "map[done:2]" {
		t.Errorf("exit code %d, result %v\n%s", code, result, s.said())
	}
}

func TestScheduleWhileTheWorkspaceIsHeld(t *testing.T) {
	workspace, collection := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "collection")
	succeed(t, "", "synth", collection, "--patents", "10", "--topics", "0")
	succeed(t, workspace, "ingest", "publish", filepath.Join(collection, "collection"))
	for _, policy := range []string{"skip", "queue"} {
		lock, err := durable.TryLock(filepath.Join(workspace, "manifests", "pipeline.lock"), "process 7 runs pipeline other")
		if err != nil {
			t.Fatal(err)
		}
		s := startScheduler(t, workspace, "--when-new", "10", "--poll", "1s", "--overlap", policy)
		s.waitFor("process 7 runs pipeline other", 1)
		if policy == "skip" {
			code, result := s.stop()
			if code != 0 || fmt.Sprint(result["runs"]) != "map[]" || !strings.HasPrefix(fmt.Sprint(result["skipped"]), "map[held:") {
				t.Errorf("skip: exit code %d, result %v", code, result)
			}
		}
		if err := lock.Unlock(); err != nil {
			t.Fatal(err)
		}
		if policy == "queue" {
			s.waitFor("outcome=done", 1)
			if code, result := s.stop(); code != 0 || fmt.Sprint(result["runs"]) != "map[done:1]" {
				t.Errorf("queue: exit code %d, result %v", code, result)
			}
		}
	}
}

func TestScheduleTakesUpACutOffRun(t *testing.T) {
	workspace, collection := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "collection")
	succeed(t, "", "synth", collection, "--patents", "400", "--topics", "0")
	succeed(t, workspace, "ingest", "publish", filepath.Join(collection, "collection"))
	s := startScheduler(t, workspace, "--when-new", "400", "--poll", "1s")
	s.waitFor("step=consume", 1)
	if code, result := s.stop(); code != 130 || fmt.Sprint(result["runs"]) != "map[interrupted:1]" {
		t.Fatalf("stopped in the middle of a run: exit code %d, result %v\n%s", code, result, s.said())
	}
	s = startScheduler(t, workspace, "--when-new", "400", "--poll", "1s")
	s.waitFor("a run was cut off", 1)
	s.waitFor("outcome=done", 1)
	if code, _ := s.stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if n := patents(t, workspace); n != "400" {
		t.Errorf("%s patents", n)
	}
}

func TestScheduleRefusesAtOnce(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "wrong.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(batches, "ingest merge", "ingest marge", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, words := range map[string][]string{
		"ingest marge":        {file, "--cron", "0 6 * * 1"},
		"no such time zone":   {"demo", "--cron", "0 6 * * 1", "--time-zone", "Vienna"},
		"nothing to wait for": {"demo"},
		"five fields":         {"demo", "--cron", "6 o'clock"},
	} {
		cmd, stdout, stderr := start(t, filepath.Join(dir, "work"), append([]string{"schedule"}, words...)...)
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(stderr.String(), want) {
			t.Errorf("%v: %v, want exit code 2 and %q\n%s%s", words, err, want, stdout, stderr)
		}
	}
}
