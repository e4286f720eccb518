package repro

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// matrixVersion is the version of the layout that this build reads.
const matrixVersion = 1

// Matrix is a file of conditions.
type Matrix struct {
	Version    int               `yaml:"version"`
	About      string            `yaml:"about"`
	Vars       map[string]string `yaml:"vars"`
	Conditions []Condition       `yaml:"conditions"`
}

// Condition is some commands, and the figures that they must give.
type Condition struct {
	Name     string   `yaml:"name"`
	About    string   `yaml:"about"`
	Needs    []string `yaml:"needs"`    // conditions that come first
	Requires []string `yaml:"requires"` // files that must be there
	Commands []string `yaml:"commands"`
	Expect   []Figure `yaml:"expect"`
}

// Figure is a number that is expected: a measure of a run or of a system in a report, or a number in a JSON file.
type Figure struct {
	Report  string `yaml:"report" json:"report,omitempty"` // reports/<report>/
	Run     string `yaml:"run" json:"run,omitempty"`       // a run in eval.json
	System  string `yaml:"system" json:"system,omitempty"` // a system in compare.json: several seeds are one
	Slice   string `yaml:"slice" json:"slice,omitempty"`   // of a run: "domain-ipc3 out"
	Measure string `yaml:"measure" json:"measure,omitempty"`

	File string `yaml:"file" json:"file,omitempty"` // JSON file of the workspace
	At   string `yaml:"at" json:"at,omitempty"`     // keys that lead to the number: result.patents

	Value     float64  `yaml:"value" json:"value"`
	Tolerance *float64 `yaml:"tolerance" json:"tolerance,omitempty"`
	OKish     *float64 `yaml:"okish" json:"okish,omitempty"`
}

// defaultTolerance is what four printed decimals can be off.
const defaultTolerance = 0.0001

func (f Figure) tolerances() (ok, okish float64) {
	ok = defaultTolerance
	if f.Tolerance != nil {
		ok = *f.Tolerance
	}
	if f.OKish != nil {
		return ok, *f.OKish
	}
	return ok, 10 * ok
}

// String names the figure as a reader would.
func (f Figure) String() string {
	if f.File != "" {
		return f.File + " " + f.At
	}
	name := f.Measure
	if f.Slice != "" {
		name += " of " + f.Slice
	}
	return fmt.Sprintf("%s %s%s: %s", f.Report, f.Run, f.System, name)
}

// Load reads a matrix and fills its variables in; set replaces values. ${workspace} is always known.
func Load(path string, ws workspace.Dir, set []string) (*Matrix, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "matrix %s: %w", path, err)
	}
	var m Matrix
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&m); err != nil {
		return nil, fault.New(fault.Rejected, "matrix %s: %w", path, err)
	}
	if m.Vars == nil {
		m.Vars = map[string]string{}
	}
	for _, text := range set {
		name, value, ok := strings.Cut(text, "=")
		if _, known := m.Vars[name]; !ok || !known {
			return nil, fault.New(fault.Usage, "--set %q: want NAME=VALUE with a name from vars of %s", text, path)
		}
		m.Vars[name] = value
	}
	m.Vars["workspace"] = string(ws)
	if err := m.check(); err != nil {
		return nil, fault.New(fault.Rejected, "matrix %s: %w", path, err)
	}
	return &m, nil
}

// check finds what is wrong before anything is run, and fills variables in.
func (m *Matrix) check() error {
	if m.Version != matrixVersion {
		return fmt.Errorf("version is %d, this dssdnet reads version %d", m.Version, matrixVersion)
	}
	if len(m.Conditions) == 0 {
		return fmt.Errorf("there are no conditions")
	}
	var seen []string
	for i := range m.Conditions {
		c := &m.Conditions[i]
		if c.Name == "" || slices.Contains(seen, c.Name) {
			return fmt.Errorf("condition number %d has no name of its own: %q", i+1, c.Name)
		}
		for _, need := range c.Needs {
			if !slices.Contains(seen, need) {
				return fmt.Errorf("condition %s needs %q, which is no condition before it", c.Name, need)
			}
		}
		seen = append(seen, c.Name)
		if err := c.check(m.Vars); err != nil {
			return fmt.Errorf("condition %s: %w", c.Name, err)
		}
	}
	return nil
}

func (c *Condition) check(vars map[string]string) error {
	for _, list := range [][]string{c.Requires, c.Commands} {
		for i := range list {
			filled, err := fill(list[i], vars)
			if err != nil {
				return err
			}
			list[i] = filled
		}
	}
	for _, command := range c.Commands {
		words, err := split(command)
		if err != nil {
			return err
		}
		if len(words) < 2 || words[0] != "dssdnet" {
			return fmt.Errorf("command %q: only commands of dssdnet are run", command)
		}
	}
	for _, f := range c.Expect {
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

func (f Figure) check() error {
	measured := f.Report != "" && f.Measure != "" && (f.Run == "") != (f.System == "") && (f.Slice == "" || f.Run != "")
	stored := f.File != "" && f.At != "" && filepath.IsLocal(f.File)
	if ok, okish := f.tolerances(); ok < 0 || okish < ok {
		return fmt.Errorf("figure %s: the tolerance %v must be from 0 to okish, %v", f, ok, okish)
	}
	if measured == stored || f.File != "" && f.Report != "" {
		return fmt.Errorf("figure %s: want report, measure and a run (or system), or file and at", f)
	}
	return nil
}
