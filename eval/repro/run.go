package repro

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// Run reproduces the conditions. The error has the kind fault.GateRefused when a figure is not what it was.
func Run(ctx context.Context, c Config) (Result, error) {
	started := time.Now()
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Exec == nil {
		c.Exec = c.runSelf
	}
	m, err := Load(c.File, c.Workspace, c.Set)
	if err != nil {
		return Result{}, err
	}
	chosen, err := m.choose(c.Conditions)
	if err != nil {
		return Result{}, err
	}
	name := strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File))
	r := Result{Matrix: name, About: m.About}
	task := progress.Or(c.Progress).Start("repro", int64(len(chosen)), "conditions")
	defer task.Done()
	bad := map[string]bool{} // conditions that did not run to their end
	for _, condition := range chosen {
		one := c.condition(ctx, condition, bad)
		if ctx.Err() != nil {
			return r, fmt.Errorf("repro %s stopped in condition %s: %w", name, condition.Name, ctx.Err())
		}
		r.add(one)
		task.Add(1)
	}
	r.Seconds = time.Since(started).Seconds()
	if c.DryRun {
		return r, nil
	}
	if err := durable.WriteFile(filepath.Join(c.Workspace.Table("reports"), "repro-"+name+".md"), r.markdown()); err != nil {
		return r, fmt.Errorf("write the report of repro %s: %w", name, err)
	}
	if r.Fail > 0 {
		return r, fault.New(fault.GateRefused, "%d figures or commands of %s FAIL: %s", r.Fail, name, strings.Join(r.failures(), "; "))
	}
	return r, nil
}

// choose returns the named conditions and those that they need, in the order of the matrix.
func (m *Matrix) choose(names []string) ([]Condition, error) {
	if len(names) == 0 {
		return m.Conditions, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		if !slices.ContainsFunc(m.Conditions, func(c Condition) bool { return c.Name == name }) {
			var known []string
			for _, c := range m.Conditions {
				known = append(known, c.Name)
			}
			return nil, fault.New(fault.Usage, "--condition %q is none of %s", name, strings.Join(known, ", "))
		}
		wanted[name] = true
	}
	var chosen []Condition
	for _, c := range slices.Backward(m.Conditions) { // what is needed stands before
		if wanted[c.Name] {
			chosen = append(chosen, c)
			for _, need := range c.Needs {
				wanted[need] = true
			}
		}
	}
	slices.Reverse(chosen)
	return chosen, nil
}

// condition runs one condition. bad are those that cannot be built on.
func (c Config) condition(ctx context.Context, m Condition, bad map[string]bool) ConditionResult {
	r := ConditionResult{Name: m.Name, Verdict: OK, Commands: []CommandResult{}, Figures: []FigureResult{}}
	skip := func(format string, args ...any) ConditionResult {
		bad[m.Name] = true
		r.Verdict, r.Reason = Skipped, fmt.Sprintf(format, args...)
		return r
	}
	for _, path := range m.Requires {
		if _, err := os.Stat(path); err != nil {
			return skip("%s is not there", path)
		}
	}
	for _, need := range m.Needs {
		if bad[need] {
			return skip("condition %s, which it needs, did not run to its end", need)
		}
	}
	for _, command := range m.Commands {
		one := CommandResult{Command: command}
		if !c.DryRun && !c.SkipRun {
			started := time.Now()
			if err := c.execute(ctx, command); err != nil {
				bad[m.Name] = true
				r.Verdict, r.Reason = Fail, fmt.Sprintf("%s: %v", command, err)
				return r
			}
			one.Seconds = time.Since(started).Seconds()
		}
		r.Commands = append(r.Commands, one)
	}
	if c.DryRun {
		r.Verdict, r.Reason = Skipped, "dry run"
		return r
	}
	for _, f := range m.Expect {
		figure := c.compare(f)
		r.Figures = append(r.Figures, figure)
		r.Verdict = worse(r.Verdict, figure.Verdict)
	}
	return r
}

func (c Config) execute(ctx context.Context, command string) error {
	words, err := split(command)
	if err != nil {
		return err
	}
	c.Log.Info("repro", "command", command)
	return c.Exec(ctx, words[1:])
}

func (c Config) compare(f Figure) FigureResult {
	r := FigureResult{Name: f.String(), Want: f.Value, Verdict: Fail}
	got, err := f.read(c.Workspace)
	if err != nil {
		r.Reason = err.Error()
		if errors.Is(err, os.ErrNotExist) {
			r.Reason = "not there: " + err.Error()
		}
		return r
	}
	r.Got = &got
	const dust = 1e-12 // that 0.3 - 0.2 is more than 0.1 is nobody's failure
	ok, okish := f.tolerances()
	switch d := math.Abs(got - f.Value); {
	case d <= ok+dust:
		r.Verdict = OK
	case d <= okish+dust:
		r.Verdict = OKish
	}
	return r
}

func worse(a, b Verdict) Verdict {
	order := []Verdict{OK, OKish, Fail}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

func (r *Result) add(c ConditionResult) {
	r.Conditions = append(r.Conditions, c)
	if c.Verdict == Skipped {
		r.Skipped++
	}
	if c.Verdict == Fail && len(c.Figures) == 0 {
		r.Fail++ // a command
	}
	for _, f := range c.Figures {
		switch f.Verdict {
		case OK:
			r.OK++
		case OKish:
			r.OKish++
		default:
			r.Fail++
		}
	}
}

// failures are the first few, in words.
func (r Result) failures() []string {
	const shown = 5
	var all []string
	for _, c := range r.Conditions {
		if c.Verdict == Fail && len(c.Figures) == 0 {
			all = append(all, c.Name+": "+c.Reason)
		}
		for _, f := range c.Figures {
			if f.Verdict == Fail {
				all = append(all, fmt.Sprintf("%s: %s is %s, want %s", c.Name, f.Name, f.got(), number(f.Want)))
			}
		}
	}
	if len(all) > shown {
		all = append(all[:shown], fmt.Sprintf("and %d more", len(all)-shown))
	}
	return all
}
