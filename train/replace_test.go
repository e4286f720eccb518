package train

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/schemas/arrowfile"
)

// oddPairs are pairs with words that the others lack.
func oddPairs() []arrowfile.Pair {
	var rows []arrowfile.Pair
	for i, word := range []string{"quixotic", "zephyr", "jukebox", "kumquat"} {
		rows = append(rows, arrowfile.Pair{
			Judged:     arrowfile.Judged{TopicID: "PAC-9", QueryID: "EP-1", DocID: "EP-" + word, Label: int8(i % 2), Domain: int8(i / 2), DomainKnown: true, Source: arrowfile.SourceGold},
			QueryTitle: word, QueryAbstract: "A " + word, DocTitle: word, DocAbstract: "The " + word + " of a " + word,
		})
	}
	return rows
}

// TestReplace trains under one name on pairs that change: the run is always that of a fresh name.
func TestReplace(t *testing.T) {
	c := small(t)
	c.MaxSteps, c.Resume, c.Replace = 6, true, true
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if again, err := Run(t.Context(), c); err != nil || !again.Skipped {
		t.Fatalf("nothing changed: %+v, %v", again, err)
	}
	writeRows(t, filepath.Join(c.pairsDir(), "train-00009.arrow"), oddPairs())
	refused := c
	refused.Replace = false
	if _, err := Run(t.Context(), refused); fault.KindOf(err) != fault.Usage {
		t.Errorf("without --replace: %v", err)
	}
	r, err := Run(t.Context(), c)
	if err != nil || r.Skipped || r.Seeds[0].Steps != 6 {
		t.Fatalf("%+v, %v", r, err)
	}
	fresh := c
	fresh.Run = "fresh"
	if _, err := Run(t.Context(), fresh); err != nil {
		t.Fatal(err)
	}
	a, b := filepath.Join(c.folder(1), bestName), filepath.Join(fresh.folder(1), bestName)
	if !bytes.Equal(weightsOf(t, a), weightsOf(t, b)) {
		t.Error("a replaced run is not that of a fresh name")
	}
	if got, want := folders(t, c.folder(1)), folders(t, fresh.folder(1)); !slices.Equal(got, want) {
		t.Errorf("folders %v, want %v", got, want)
	}
	if m := readMetrics(t, c.folder(1)); m[0].Step != 1 {
		t.Errorf("the metrics begin with %+v", m[0])
	}

	c.Seeds = []string{"2"}
	if r, err := Run(t.Context(), c); err != nil || r.Seeds[0].Seed != 2 || readState(t, a).Seed != 2 {
		t.Errorf("another seed: %+v, %v", r, err)
	}
	c.MaxSteps = 3
	if r, err := Run(t.Context(), c); err != nil || r.Seeds[0].Steps != 3 {
		t.Errorf("fewer steps: %+v, %v", r, err)
	}
	c.Seeds = []string{"1", "2"}
	if _, err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(string(c.Workspace), "checkpoints", c.Run, bestName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the one seed's run stands beside those of two: %v", err)
	}
	c.Resume, c.LearningRate = false, 2e-3
	if r, err := Run(t.Context(), c); err != nil || len(r.Seeds) != 2 || r.Skipped {
		t.Errorf("without --resume: %+v, %v", r, err)
	}
}

// TestReplaceKilled stands at the moments at which a replacement can be killed.
func TestReplaceKilled(t *testing.T) {
	c := small(t)
	c.MaxSteps, c.Resume, c.Replace = 3, true, true
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	// The manifest is gone, the run still stands.
	writeRows(t, filepath.Join(c.pairsDir(), "train-00009.arrow"), oddPairs())
	if err := os.Remove(manifest.Path(c.Workspace.Manifests(), stage, c.Run)); err != nil {
		t.Fatal(err)
	}
	if r, err := Run(t.Context(), c); err != nil || r.Skipped || r.Seeds[0].Steps != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	// The run is out of the way and not yet removed.
	root := filepath.Join(string(c.Workspace), "checkpoints")
	if err := os.Rename(filepath.Join(root, c.Run), filepath.Join(root, ".tmp-1-"+c.Run)); err != nil {
		t.Fatal(err)
	}
	if r, err := Run(t.Context(), c); err != nil || r.Skipped || r.Seeds[0].Steps != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	if names := folders(t, root); len(names) != 1 || strings.HasPrefix(names[0], ".") {
		t.Errorf("left over: %v", names)
	}
	// A checkpoint that cannot be read.
	if err := os.WriteFile(filepath.Join(c.folder(1), "checkpoint-3", stateFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.MaxSteps = 4
	if r, err := Run(t.Context(), c); err != nil || r.Seeds[0].Steps != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}
