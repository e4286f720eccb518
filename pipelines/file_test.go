package pipelines

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/internal/fault"
)

// TestFileErrors expects each mistake to be found before anything is run, with its line.
func TestFileErrors(t *testing.T) {
	const head = "version: 1\nvars: {n: 3}\nsteps:\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "is empty"},
		"no YAML":         {"a: [", "did not find expected"},
		"no version":      {"steps: []\n", "the key version is missing"},
		"newer version":   {"version: 2\nsteps: []\n", `:1: version is "2", this dssdnet reads version 1`},
		"no steps":        {"version: 1\n", "there are no steps"},
		"unknown key":     {head + "  - {step: a, stage: make, wit: {}}\n", `:4: step: unknown key "wit"; it knows step, stage, args, with, if-exists`},
		"top key":         {"version: 1\nstep: []\n", `:2: pipeline: unknown key "step"`},
		"key twice":       {head + "  - {step: a, step: b, stage: make}\n", `:4: step: key "step" stands twice`},
		"no stage":        {head + "  - {step: a}\n", ":4: step a: the key stage is missing"},
		"unknown stage":   {head + "  - {step: a, stage: mak}\n", `:4: step a: there is no stage "mak"; there are make`},
		"unknown setting": {head + "  - step: a\n    stage: make\n    with:\n      txt: x\n", `:7: step a: stage make has no setting "txt"; it has name, reads, writes, text, force, count`},
		"bad value":       {head + "  - step: a\n    stage: make\n    with: {count: some}\n", `:6: step a: count: "some" is not a whole number`},
		"bad name":        {head + "  - {step: a/b, stage: make}\n", `:4: step "a/b": want a name of letters`},
		"step twice":      {head + "  - {step: a, stage: make}\n  - {step: a, stage: make}\n", ":5: step a: a step of this name stands in line 4"},
		"arguments":       {head + "  - {step: a, stage: make, args: [x]}\n", ":4: step a: stage make takes no arguments, not 1"},
		"unknown var":     {head + "  - {step: a, stage: make, with: {text: \"${m}\"}}\n", `:4: ${m}: there is no variable "m" here; there are n and workspace`},
		"var without":     {"version: 1\nvars: {data: }\nsteps:\n  - {step: a, stage: make}\n", ":2: vars: data has no value: give one with --set data=VALUE"},
		"nested value":    {head + "  - {step: a, stage: make, with: {text: {a: b}}}\n", ":4: text: want a plain value"},
		"two writers": {
			head + "  - {step: a, stage: make, with: {writes: patents}}\n  - {step: b, stage: make, with: {writes: patents}}\n",
			":5: step b writes patents, and so does step a in line 4",
		},
		"cycle": {
			head + "  - {step: a, stage: make, with: {reads: pools/c, writes: pools/a}}\n" +
				"  - {step: b, stage: make, with: {reads: pools/a, writes: pools/b}}\n" +
				"  - {step: c, stage: make, with: {reads: pools/b, writes: pools/c}}\n",
			":4: step a: the steps wait for each other: a reads pools/c, which c writes; c reads pools/b, which b writes; b reads pools/a, which a writes",
		},
		"missing table": {
			head + "  - {step: a, stage: make, with: {reads: pairs/x, writes: pools/a}}\n",
			":4: step a reads pairs/x, which does not exist in workspace",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.file(b.config.File, c.text)
			err := b.failure(c.want)
			if fault.KindOf(err) != fault.Usage {
				t.Errorf("%v is no wrong use", err)
			}
			if len(b.ran)+len(b.events) > 0 {
				t.Errorf("%v ran, events %v", b.ran, b.events)
			}
		})
	}
}

// TestVars fills in the values of the file and those of the call; a flag's value comes split at its commas.
func TestVars(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.yaml")
	text := `
version: 1
name: p
vars:
  data: null
  topics: ${data}/topics
  names: x
  price: $$5
steps:
  - step: a
    stage: s
    args: ["${topics}", "${workspace}/out", "${price}", "${{}"]
    with: {names: "${names}", list: ["${names}", y], none: null}
`
	text = strings.Replace(text, `, "${{}"`, "", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := loadFile(path, "work", []string{"data=/d", "names=1", "2", "3"})
	if err != nil {
		t.Fatal(err)
	}
	s := f.steps[0]
	if got := strings.Join(s.args, " "); got != "/d/topics work/out $5" {
		t.Errorf("args are %q", got)
	}
	if got := strings.Join(s.with[0].values, "|"); got != "1,2,3" {
		t.Errorf("names are %q", got)
	}
	if got := strings.Join(s.with[1].values, "|"); got != "1,2,3|y" {
		t.Errorf("list is %q", got)
	}
	if len(s.with[2].values) != 0 {
		t.Errorf("null is %q", s.with[2].values)
	}
	for set, want := range map[string]string{
		"nams=1":      "--set nams: the pipeline " + path + " has no such variable; it has data, names, price, topics",
		"workspace=x": "--set workspace",
		"3":           `--set "3": want NAME=VALUE`, // there is none before it to go on with
	} {
		if _, err := loadFile(path, "work", append([]string{set}, "data=/d")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--set %s: %v, want %q", set, err, want)
		}
	}
	if _, err := loadFile("no/such", "work", nil); err == nil || !strings.Contains(err.Error(), "it has ablation, clef-ip, collection, demo") {
		t.Errorf("no file: %v", err)
	}
}

// TestShipped binds every pipeline that comes with the program to the real stages.
func TestShipped(t *testing.T) {
	for _, name := range Shipped() {
		c := Config{Workspace: "work", File: name}
		if name == "collection" || name == "clef-ip" {
			c.Set = []string{"data=/data"}
		}
		r, err := prepare(c, stages, thisMachine())
		if err != nil {
			t.Error(err)
			continue
		}
		if r.plan.name != name || r.plan.about == "" || len(r.plan.steps) < 3 {
			t.Errorf("%s is called %s, is about %q and has %d steps", name, r.plan.name, r.plan.about, len(r.plan.steps))
		}
		for i, s := range r.plan.steps {
			if s.number != i {
				t.Errorf("%s: step %s is number %d in the file and runs as number %d: the file should stand in the order of the run", name, s.name, s.number, i)
			}
		}
	}
}
