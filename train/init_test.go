package train

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/internal/workspace"
	"dssdnet/train/bert"
)

// makeCurrent puts a checkpoint into the registry's place of a version and points the link to it.
func makeCurrent(t *testing.T, ws workspace.Dir, version, checkpoint string) {
	t.Helper()
	if err := os.CopyFS(ws.ModelCheckpoint(version), os.DirFS(checkpoint)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(ws.Models(), workspace.Current)
	_ = os.Remove(link)
	if err := os.Symlink(version, link); err != nil {
		t.Fatal(err)
	}
}

func readState(t *testing.T, dir string) state {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err != nil {
		t.Fatal(err)
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func weightsOf(t *testing.T, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, bert.WeightsFile))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestInitStartsFromTheWeights: with a learning rate of nothing the first checkpoint has the weights it began with, and
// the vocabulary that the pairs alone would not give.
func TestInitStartsFromTheWeights(t *testing.T) {
	c := small(t)
	first := savedEncoder(t, c)
	c.Init, c.LearningRate, c.WeightDecay, c.MaxSteps = first, 1e-60, 0, 1
	c.Network.Gamma = 3 // the loss may differ, the form not
	writePairs(t, c.Workspace, splitTrain, 2, 14)
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	best := filepath.Join(c.folder(1), bestName)
	if !bytes.Equal(weightsOf(t, best), weightsOf(t, first)) {
		t.Error("the weights are not those of --init")
	}
	if s := readState(t, best); s.Init == nil || s.Init.From != first || len(s.Init.SHA256) != 64 || r.Init != first {
		t.Errorf("the state says %+v, the result %q", s.Init, r.Init)
	}
	if again, err := Run(t.Context(), c); err != nil || !again.Skipped {
		t.Errorf("%+v, %v", again, err)
	}

	c.Run = "other"
	c.Network.Model = "bert"
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "it is a dssdnet with") {
		t.Errorf("another network: %v", err)
	}
	c.Init = t.TempDir()
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no checkpoint of dssdnet train") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestTheIdentityKnowsTheInit: a run does not go on from, and is not taken for, one that began elsewhere.
func TestTheIdentityKnowsTheInit(t *testing.T) {
	c := small(t)
	first := savedEncoder(t, c)
	c.Init, c.MaxSteps = first, 4
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.Resume = true
	plain := c
	plain.Init = ""
	if _, err := Run(t.Context(), plain); err == nil || !strings.Contains(err.Error(), "init was") {
		t.Errorf("without --init: %v", err)
	}
	if err := os.WriteFile(filepath.Join(first, bert.WeightsFile), weightsOf(t, filepath.Join(c.folder(1), bestName)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "not the one that it started from") {
		t.Errorf("other weights in the folder: %v", err)
	}
}

// TestCurrentIsReadOnce: a finished run is not made again because another model is current, and a stopped one goes on
// from where it began.
func TestCurrentIsReadOnce(t *testing.T) {
	c := small(t)
	c.Init, c.MaxSteps = workspace.Current, 9
	r, err := Run(t.Context(), c)
	if err != nil || r.Init != "" {
		t.Fatalf("without a current model: %+v, %v", r, err)
	}
	makeCurrent(t, c.Workspace, "v1", filepath.Join(c.folder(1), bestName))
	if r, err = Run(t.Context(), c); err != nil || !r.Skipped {
		t.Errorf("its own model became current: %+v, %v", r, err)
	}
	whole := c
	whole.Run = "whole"
	if r, err = Run(t.Context(), whole); err != nil || r.Init != "v1" {
		t.Fatalf("%+v, %v", r, err)
	}
	stopped := c
	stopped.Run = "stopped"
	if _, err := Run(&countdown{context.Background(), 4}, stopped); err == nil {
		t.Fatal("it was not stopped")
	}
	// Another model, of another vocabulary, becomes current.
	other := small(t)
	other.MaxSteps = 1
	writePairs(t, other.Workspace, splitTrain, 3, 6)
	writeRows(t, filepath.Join(other.pairsDir(), "train-00009.arrow"), oddPairs())
	if _, err := Run(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	makeCurrent(t, c.Workspace, "v2", filepath.Join(other.folder(1), bestName))
	stopped.Resume = true
	if r, err := Run(t.Context(), stopped); err != nil || r.Init != "v1" {
		t.Fatalf("%+v, %v", r, err)
	}
	a, b := filepath.Join(whole.folder(1), bestName), filepath.Join(stopped.folder(1), bestName)
	if !bytes.Equal(weightsOf(t, a), weightsOf(t, b)) {
		t.Error("a stopped run ends with other weights when another model became current")
	}
}
