package pipelines

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// bench is a workspace with a stage "make", which writes what its settings say:
//
//	with: {name: b, reads: "pools/a", writes: "pools/b", text: hello}
type bench struct {
	t       *testing.T
	config  Config
	machine machine
	ran     []string // names of the calls, in their order
	events  []Event
	// do is what a call does beside its work, and the error it ends with.
	do map[string]func(ctx context.Context) error
}

func newBench(t *testing.T, lines ...string) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, machine: thisMachine(), do: map[string]func(context.Context) error{}}
	b.config = Config{Workspace: workspace.Dir(filepath.Join(dir, "work")), File: filepath.Join(dir, "test.yaml"), Observers: []Observer{b}}
	b.write(lines...)
	return b
}

// write makes the pipeline file: a line is the flow mapping of a step.
func (b *bench) write(lines ...string) {
	b.t.Helper()
	text := "version: 1\nvars: {x: 1}\nsteps:\n"
	for _, line := range lines {
		text += "  - {" + line + "}\n"
	}
	b.file(b.config.File, text)
}

func (b *bench) file(path, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// table is the file that a call writes for a table.
func (b *bench) table(name string) string {
	return filepath.Join(string(b.config.Workspace), name, "data.txt")
}

func (b *bench) Observe(_ context.Context, e Event) { b.events = append(b.events, e) }

// work is the Config of the stage "make".
type work struct {
	Name   string   `yaml:"name"`
	Reads  []string `yaml:"reads"`
	Writes []string `yaml:"writes"`
	Text   string   `yaml:"text"`
	Force  bool     `yaml:"force"`
	Count  int      `yaml:"count"`
}

func (b *bench) catalog() catalog {
	return catalog{"make": func(p place) *binding {
		var cfg work
		all := func(names []string) (refs []ref) {
			for _, name := range names {
				name, maybe := strings.CutSuffix(name, "?")
				r := p.table(name)
				if name == models {
					r = p.models()
				}
				r.optional = maybe
				refs = append(refs, r)
			}
			return refs
		}
		return &binding{
			section: settings.New("make", &cfg), take: noArgs, check: func() error { return nil },
			reads: func() []ref { return all(cfg.Reads) }, writes: func() []ref { return all(cfg.Writes) },
			run: func(ctx context.Context, w world) (any, error) { return b.call(ctx, cfg) },
		}
	}}
}

// call writes the text of a step and those of its inputs to its outputs.
func (b *bench) call(ctx context.Context, cfg work) (any, error) {
	b.ran = append(b.ran, cfg.Name)
	text := cfg.Text
	for _, name := range cfg.Reads {
		data, err := os.ReadFile(b.table(strings.TrimSuffix(name, "?")))
		if err != nil && !strings.HasSuffix(name, "?") && name != models {
			return nil, err
		}
		text += "+" + string(data)
	}
	if do := b.do[cfg.Name]; do != nil {
		if err := do(ctx); err != nil {
			return map[string]int{"rows": 1}, err
		}
	}
	for _, name := range cfg.Writes {
		if name == models {
			b.promote(cfg.Text)
			continue
		}
		b.file(b.table(name), text)
	}
	return map[string]int{"rows": len(text)}, nil
}

// promote makes a version the current model.
func (b *bench) promote(version string) {
	b.t.Helper()
	dir := filepath.Join(string(b.config.Workspace), models)
	b.file(filepath.Join(dir, version, "model.json"), "{}")
	link := filepath.Join(dir, "current")
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	if err := os.Symlink(version, link); err != nil {
		b.t.Fatal(err)
	}
}

// run runs the pipeline and returns what was called in this run.
func (b *bench) run() (Result, []string, error) {
	b.ran, b.events = nil, nil
	r, err := start(b.t.Context(), b.config, b.catalog(), b.machine)
	return r, b.ran, err
}

// wants runs the pipeline, which must succeed, and compares the calls with those that are wanted.
func (b *bench) wants(want string) Result {
	b.t.Helper()
	r, ran, err := b.run()
	if err != nil {
		b.t.Fatal(err)
	}
	if got := strings.Join(ran, " "); got != want {
		b.t.Fatalf("ran %q, want %q:\n%s", got, want, story(r))
	}
	return r
}

func (b *bench) fails(words ...string) {
	b.t.Helper()
	_ = b.failure(words...)
}

// failure runs the pipeline, which must fail with these words.
func (b *bench) failure(words ...string) error {
	b.t.Helper()
	_, _, err := b.run()
	if err == nil {
		b.t.Fatalf("the run succeeds, want an error with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			b.t.Errorf("error %q lacks %q", err, w)
		}
	}
	return err
}

func story(r Result) string {
	var lines []string
	for _, s := range r.Steps {
		lines = append(lines, fmt.Sprintf("%s: %s, %s", s.Step, s.Status, s.Reason))
	}
	return strings.Join(lines, "\n")
}

// chain is three steps, of which each reads what the one before writes.
var chain = []string{
	`step: a, stage: make, with: {name: a, writes: patents, text: "${x}"}`,
	`step: b, stage: make, with: {name: b, reads: patents, writes: pools/b, text: B}`,
	`step: c, stage: make, with: {name: c, reads: pools/b, writes: pairs/c, text: C}`,
}

// at sets the clock of the machine.
func (b *bench) at(now time.Time) { b.machine.now = func() time.Time { return now } }
