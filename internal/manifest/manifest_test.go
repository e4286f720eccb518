package manifest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRoundTripAndSame(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "qrels.txt")
	if err := os.WriteFile(source, []byte("PAC-1 0 EP-1 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	input, err := HashInput(source)
	if err != nil {
		t.Fatal(err)
	}
	config := json.RawMessage(`{"max": 300}`)
	m := Manifest{Stage: "qrels", Name: "2010", Schema: "qrels/1", Inputs: []Input{input}, Config: config, Result: json.RawMessage(`{}`),
		Finished: time.Unix(1_000_000_000, 0)}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir, "qrels", "2010")
	if err != nil {
		t.Fatal(err)
	}
	if !got.Same("qrels/1", []Input{input}, json.RawMessage(`{"max":300}`)) {
		t.Errorf("the same run is not recognised: %+v", got)
	}
	changed := input
	changed.SHA256 = "0"
	if got.Same("qrels/1", []Input{changed}, config) || got.Same("qrels/2", []Input{input}, config) || got.Same("qrels/1", []Input{input}, json.RawMessage(`{"max":1}`)) {
		t.Error("a changed input, schema or config passes for the same run")
	}
	if _, err := os.Stat(filepath.Join(dir, "runs", "20010909T014640.000000Z-qrels.2010.json")); err != nil {
		t.Errorf("no copy for the history: %v", err)
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir, "merge", ""); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent manifest: %v", err)
	}
	for text, want := range map[string]string{`{"version": 99}`: "upgrade dssdnet", `{"ver`: "unexpected end"} {
		if err := os.WriteFile(Path(dir, "merge", ""), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir, "merge", "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRecordedRunIsRepeated(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"b", "a"} {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := HashInputs(paths)
	if err != nil || len(inputs) != 2 || inputs[0].Path != paths[0] || inputs[0].SHA256 == inputs[1].SHA256 {
		t.Fatalf("%+v, %v", inputs, err)
	}
	if _, err := HashInputs([]string{filepath.Join(dir, "c")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent input: %v", err)
	}
	type counts struct{ Rows int }
	m := Manifest{Stage: "topics", Name: "s", Schema: "topics/1", Inputs: inputs, Config: json.RawMessage(`{}`), Started: time.Now()}
	var got counts
	if m.Repeats(dir, &got) {
		t.Error("a run that never was is repeated")
	}
	if err := m.Record(dir, counts{Rows: 7}); err != nil {
		t.Fatal(err)
	}
	if !m.Repeats(dir, &got) || got.Rows != 7 {
		t.Errorf("%+v", got)
	}
	m.Inputs = inputs[:1]
	if m.Repeats(dir, &got) {
		t.Error("a run with other inputs is a repetition")
	}
}
