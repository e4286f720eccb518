package registry

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
)

// checkpoint makes a folder with weights of this text.
func checkpoint(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", weightsFile} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func lock(t *testing.T, r Registry) *Writer {
	t.Helper()
	w, err := r.Lock()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// register makes a version and, when asked to, the current one.
func register(t *testing.T, r Registry, text string, promote bool) string {
	t.Helper()
	w := lock(t, r)
	defer w.Close()
	status := Refused
	if promote {
		status = Promoted
	}
	m, err := w.Register(Model{Status: status, Lineage: Lineage{
		Checkpoint: []manifest.Input{{Path: weightsFile, SHA256: text}}, Run: manifest.Input{SHA256: "run " + text},
	}}, checkpoint(t, text))
	if err != nil {
		t.Fatal(err)
	}
	if promote {
		if _, err := w.Point(ByGate, m.Version, "it is good"); err != nil {
			t.Fatal(err)
		}
	}
	return m.Version
}

func current(t *testing.T, ws workspace.Dir) string {
	t.Helper()
	version, err := ws.CurrentModel()
	if err != nil {
		t.Fatal(err)
	}
	return version
}

func TestVersionsAndRollback(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	r := Open(ws)
	if all, err := r.List(); len(all) != 0 || err != nil {
		t.Fatalf("of no folder: %v, %v", all, err)
	}
	for i, promote := range []bool{true, false, true} {
		text := []string{"a", "b", "c"}[i]
		if got, want := register(t, r, text, promote), []string{"v1", "v2", "v3"}[i]; got != want {
			t.Errorf("version %s, want %s", got, want)
		}
	}
	if got := current(t, ws); got != "v3" {
		t.Errorf("current is %s", got)
	}
	if target, _ := os.Readlink(filepath.Join(ws.Models(), "current")); target != "v3" {
		t.Errorf("the link is to %s, not relative", target)
	}
	data, err := os.ReadFile(filepath.Join(ws.ModelCheckpoint("v2"), weightsFile))
	if string(data) != "b" || err != nil {
		t.Errorf("weights %q, %v", data, err)
	}
	if m, err := r.Get("current"); err != nil || m.Version != "v3" || m.Status != Promoted || m.Created.IsZero() {
		t.Errorf("%+v, %v", m, err)
	}
	if m, ok, err := r.Find("b", "run b"); !ok || err != nil || m.Version != "v2" {
		t.Errorf("%+v, %v, %v", m, ok, err)
	}
	if _, ok, _ := r.Find("b", "run c"); ok {
		t.Error("found weights with another run")
	}
	w := lock(t, r)
	if e, err := w.Rollback("it was worse"); err != nil || e.Version != "v1" || e.From != "v3" || current(t, ws) != "v1" {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := w.Rollback(""); fault.KindOf(err) != fault.Usage {
		t.Errorf("rolled back over the first: %v", err)
	}
	if _, err := w.Point(ByHand, "v9", ""); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "v1 to v3") {
		t.Errorf("error %v", err)
	}
	if _, err := w.Point(ByHand, "v2", "overruled"); err != nil || current(t, ws) != "v2" {
		t.Error(err)
	}
	if e, err := w.Rollback(""); err != nil || e.Version != "v1" {
		t.Errorf("%+v, %v", e, err)
	}
	_ = w.Close()
	history, err := r.History()
	var got []string
	for _, e := range history {
		got = append(got, string(e.What)+" "+e.Version)
	}
	want := []string{"registered v1", "gate v1", "registered v2", "registered v3", "gate v3", "rollback v1", "promote v2", "rollback v1"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestOneWriterAtOnce(t *testing.T) {
	r := Open(workspace.Dir(t.TempDir()))
	w := lock(t, r)
	if _, err := r.Lock(); err == nil || !strings.Contains(err.Error(), "another process (process ") {
		t.Errorf("error %v", err)
	}
	_ = w.Close()
	_ = lock(t, r).Close()
}

// TestKilled stands at every moment between two steps of a change.
func TestKilled(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	r := Open(ws)
	register(t, r, "a", true)
	w := lock(t, r)
	// The number is given, the folder half made.
	if err := w.append(Event{What: Registered, Version: "v2"}); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(ws.Models(), ".tmp-1-v2")
	if err := os.MkdirAll(filepath.Join(half, "checkpoint"), 0o755); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if all, err := r.List(); err != nil || len(all) != 1 {
		t.Errorf("a half-made folder is a version: %v, %v", all, err)
	}
	if got := register(t, r, "b", false); got != "v3" {
		t.Errorf("the number of an unfinished version is given again: %s", got)
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("left over: %v", err)
	}
	// The folder of a version is removed: so is not its number.
	if err := os.RemoveAll(filepath.Join(ws.Models(), "v3")); err != nil {
		t.Fatal(err)
	}
	if got := register(t, r, "c", true); got != "v4" {
		t.Errorf("the number of a removed version is given again: %s", got)
	}
	// The move is in the history, the link is the old one; the leftovers of a link in the making are there.
	w = lock(t, r)
	if err := w.append(Event{What: RolledBack, Version: "v1", From: "v4"}); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if got := current(t, ws); got != "v4" {
		t.Errorf("a reader sees %s", got)
	}
	w = lock(t, r)
	if got := current(t, ws); got != "v1" {
		t.Errorf("the move was not finished: %s", got)
	}
	if e, err := w.Rollback(""); err != nil || e.Version != "v1" {
		t.Errorf("the repeated command went back further: %+v, %v", e, err)
	}
	_ = w.Close()
}

func TestDamage(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	r := Open(ws)
	register(t, r, "a", true)
	register(t, r, "b", true)
	if err := os.WriteFile(r.modelFile("v1"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := r.List()
	if err != nil || len(all) != 2 || !strings.Contains(all[0].Damage, "v1/model.json is damaged") || all[1].Damage != "" {
		t.Errorf("%+v, %v", all, err)
	}
	if err := os.WriteFile(r.modelFile("v2"), []byte(`{"format": 99}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get("v2"); err == nil || !strings.Contains(err.Error(), "upgrade dssdnet") {
		t.Errorf("error %v", err)
	}
	if _, err := r.Get("../v2"); fault.KindOf(err) != fault.Usage {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(r.historyFile(), []byte("{\"what\":\"gate\"}\nx\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Lock(); err == nil || !strings.Contains(err.Error(), "line 2 is damaged") {
		t.Errorf("error %v", err)
	}
}
