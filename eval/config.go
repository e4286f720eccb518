package eval

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"dssdnet/eval/measure"
	"dssdnet/eval/trec"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
)

// Config of one evaluation.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Runs     []string `yaml:"run" help:"run file, FILE or NAME=FILE, plain or gzip; several separated by commas or flags"`
	Set      string   `yaml:"set" help:"qrels set of the workspace to score against"`
	Qrels    string   `yaml:"qrels" help:"qrels file to score against, instead of --set"`
	Pool     string   `yaml:"pool" help:"pool that the runs re-rank; it is scored as the first run, and gives the ceiling"`
	Report   string   `yaml:"report" help:"name of the report, reports/<name>/; that of the set when empty"`
	Measures []string `yaml:"measures" help:"measures: Recall, PRES, MAP (the paper's), AP (trec_eval's map), nDCG, RR, Success, Hit; AP(rel=2)@50 sets its own grade and cut-off"`
	Cutoffs  []string `yaml:"cutoffs" help:"cut-offs of the measures that have none of their own"`
	RawIDs   bool     `yaml:"raw-ids" help:"take ids as written, also those of documents (EP-1234567-A1)"`
	Exact    bool     `yaml:"exact" help:"compare scores as float64; trec_eval compares them as float32"`
}

// Default is what the command starts from.
func Default() Config {
	return Config{Measures: measure.Names(), Cutoffs: []string{"100", "200", "400"}}
}

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	if len(c.Runs) == 0 && c.Pool == "" {
		return fault.New(fault.Usage, "nothing to score: name a run with --run FILE, or a pool with --pool")
	}
	switch {
	case c.Set == "" && c.Qrels == "":
		return fault.New(fault.Usage, "nothing to score against: name the qrels with --set NAME or --qrels FILE")
	case c.Set != "" && c.Qrels != "":
		return fault.New(fault.Usage, "--set and --qrels are both given: choose one")
	case !nameRule.MatchString(c.ReportName()):
		return fault.New(fault.Usage, "--report %q is not a name of letters, digits, '.', '_', '+' and '-'", c.ReportName())
	}
	if _, err := c.measures(); err != nil {
		return err
	}
	_, err := c.sources()
	return err
}

// ReportName is the folder below reports/.
func (c Config) ReportName() string {
	switch {
	case c.Report != "":
		return c.Report
	case c.Set != "":
		return c.Set
	}
	return baseName(c.Qrels)
}

// Dir is the folder of the report.
func (c Config) Dir() string { return filepath.Join(c.Workspace.Table("reports"), c.ReportName()) }

func (c Config) options() trec.Options { return trec.Options{RawIDs: c.RawIDs, Exact: c.Exact} }

func (c Config) measures() ([]measure.Measure, error) {
	var cutoffs []int
	for _, text := range c.Cutoffs {
		k, err := strconv.Atoi(text)
		if err != nil || k < 1 {
			return nil, fault.New(fault.Usage, "--cutoffs %q is not a whole number from 1", text)
		}
		cutoffs = append(cutoffs, k)
	}
	all, err := measure.Expand(c.Measures, cutoffs)
	if err != nil {
		return nil, fault.New(fault.Usage, "--measures: %w", err)
	}
	if len(all) == 0 {
		return nil, fault.New(fault.Usage, "--measures names none: known are %s", strings.Join(measure.Names(), ", "))
	}
	return all, nil
}

// source is a run to score: a file, or the pool when path is "".
type source struct{ name, path string }

// sources are the runs in their order, the pool first. Their names are distinct: they are what tables show.
func (c Config) sources() ([]source, error) {
	var all []source
	if c.Pool != "" {
		all = append(all, source{name: c.Pool})
	}
	for _, text := range c.Runs {
		all = append(all, newSource(text))
	}
	seen := map[string]string{}
	for _, s := range all {
		if !nameRule.MatchString(s.name) {
			return nil, fault.New(fault.Usage, "--run: %q is not a name of letters, digits, '.', '_', '+' and '-': give one with --run NAME=%s", s.name, s.path)
		}
		if other, twice := seen[s.name]; twice {
			return nil, fault.New(fault.Usage, "--run: two runs have the name %s (%s and %s): give names with --run NAME=FILE", s.name, orPool(other), orPool(s.path))
		}
		seen[s.name] = s.path
	}
	return all, nil
}

// RunFiles are the files of the runs, without their names.
func (c Config) RunFiles() []string {
	var paths []string
	for _, text := range c.Runs {
		paths = append(paths, newSource(text).path)
	}
	return paths
}

func orPool(path string) string {
	if path == "" {
		return "the pool"
	}
	return path
}

// newSource reads NAME=FILE, or FILE, whose base name then is the name.
func newSource(text string) source {
	if name, path, ok := strings.Cut(text, "="); ok && nameRule.MatchString(name) {
		if _, err := os.Stat(text); err != nil {
			return source{name: name, path: path}
		}
	}
	return source{name: baseName(text), path: text}
}

// baseName is the name of a file without its folder and the endings of run and qrels files.
func baseName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".txt", ".trec", ".run", ".tsv", ".qrels"} {
		if short := strings.TrimSuffix(name, ending); short != "" {
			name = short
		}
	}
	return name
}

func (s source) String() string {
	if s.path == "" {
		return fmt.Sprintf("pool %s", s.name)
	}
	return fmt.Sprintf("run %s", s.path)
}
