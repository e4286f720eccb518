package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runKills is how often a run of a pipeline is killed.
const runKills = 10

// TestKilledRun kills a run of the demo at random moments, repeats it, and expects the tables of an undisturbed run and
// no step that was finished to be run again.
func TestKilledRun(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for about a minute: not with -short")
	}
	command := []string{
		"DSSDNET_CONSUME_SESSION_TIMEOUT=1s", // a killed consumer is missed for so long
		"run", "demo", "--set", "patents=400", "--set", "topics=40", "--until", "sample", "--quiet",
	}
	calm := filepath.Join(t.TempDir(), "calm")
	started := time.Now()
	succeed(t, calm, command...)
	took := time.Since(started)

	var workspaces []string
	for hits, over := 0, true; hits < runKills; {
		if over { // the last run came to its end before it was killed
			workspaces = append(workspaces, filepath.Join(t.TempDir(), "wild"))
		}
		ws := workspaces[len(workspaces)-1]
		before := finishedSteps(t, ws)
		cmd, _, _ := start(t, ws, command...)
		time.Sleep(rand.N(took / 3))
		_ = cmd.Process.Signal(syscall.SIGKILL) // it may be over already
		over = cmd.Wait() == nil
		if !over {
			hits++
		}
		sameSteps(t, before, finishedSteps(t, ws))
	}
	for _, ws := range workspaces {
		before := finishedSteps(t, ws)
		out := succeed(t, ws, command...)
		sameSteps(t, before, finishedSteps(t, ws))
		if n := strings.Count(out, " skipped "); n != len(before) {
			t.Errorf("%d steps were finished, and the last run skips %d:\n%s", len(before), n, out)
		}
		for _, sql := range []string{
			"SELECT * EXCLUDE (source), source.sha256 FROM documents ORDER BY ucid",
			"SELECT * FROM patents ORDER BY patent_id",
			"SELECT * FROM topics ORDER BY topic_id",
			"SELECT * FROM qrels ORDER BY topic_id, patent_id",
			"SELECT * FROM pools ORDER BY topic_id, rank",
		} {
			want, got := succeed(t, calm, "query", "--format", "csv", sql), succeed(t, ws, "query", "--format", "csv", sql)
			if got != want {
				t.Errorf("%s differs after kills:\n%s", sql, firstDifference(want, got))
			}
			if strings.Count(want, "\n") < 2 {
				t.Errorf("%s has no row: nothing was compared", sql)
			}
		}
		if want, got := pairCounts(t, calm), pairCounts(t, ws); got != want {
			t.Errorf("pairs are %s after kills, want %s", got, want)
		}
	}
}

// finishedSteps are the steps with a record, and when each was finished.
func finishedSteps(t *testing.T, workspace string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(workspace, "manifests", "steps", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, path := range paths {
		var r struct{ Step, Finished string }
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &r)
		}
		if err != nil {
			t.Fatalf("a record was left half done: %v", err)
		}
		all[r.Step] = r.Finished
	}
	return all
}

func sameSteps(t *testing.T, before, after map[string]string) {
	t.Helper()
	for step, finished := range before {
		if after[step] != finished {
			t.Errorf("step %s was finished at %s, and run again: %q", step, finished, after[step])
		}
	}
}

func pairCounts(t *testing.T, workspace string) string {
	t.Helper()
	var m struct{ Counts json.RawMessage }
	data, err := os.ReadFile(filepath.Join(workspace, "pairs", "bm25", "manifest.json"))
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil || len(m.Counts) == 0 {
		t.Fatalf("pairs have no counts: %v", err)
	}
	return string(m.Counts)
}
