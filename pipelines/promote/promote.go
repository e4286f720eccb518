package promote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"dssdnet/eval/report"
	"dssdnet/internal/fault"
	"dssdnet/pipelines/registry"
)

// Result of one gate.
type Result struct {
	Version  string            `json:"version"`           // of the candidate
	Promoted bool              `json:"promoted"`          // the gate let it pass
	Skipped  bool              `json:"skipped,omitempty"` // it had been judged before; reason and figures are those of then
	Current  string            `json:"current,omitempty"` // version that is current now
	Baseline string            `json:"baseline,omitempty"`
	Reason   string            `json:"reason"`
	Figures  []registry.Figure `json:"figures"`
	Report   string            `json:"report"` // that shows the decision
	Seconds  float64           `json:"seconds"`
}

// Run registers the candidate and promotes it if the gate holds. A refusal is an error of kind fault.GateRefused with
// the whole result: everything was written.
func Run(ctx context.Context, c Config) (result Result, err error) {
	started := time.Now()
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	found, err := c.find()
	if err != nil {
		return Result{}, err
	}
	models := registry.Open(c.Workspace)
	opponent, err := c.meet(ctx, models, found) // not under the lock: it can take hours
	if err != nil {
		return Result{}, err
	}
	writer, err := models.Lock()
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, writer.Close()) }()
	m, skipped, err := c.version(ctx, writer, found, opponent)
	if err != nil {
		return Result{}, err
	}
	if err := c.follow(writer, m); err != nil {
		return Result{}, err
	}
	if err := c.show(m); err != nil {
		return Result{}, err
	}
	result = Result{
		Version: m.Version, Promoted: m.Status == registry.Promoted, Skipped: skipped, Baseline: m.Baseline, Reason: m.Reason, Figures: m.Figures,
		Report: c.report(), Seconds: time.Since(started).Seconds(),
	}
	if result.Current, err = c.Workspace.CurrentModel(); err != nil {
		return result, err
	}
	if !result.Promoted && result.Current != m.Version { // unless a person overruled the gate
		return result, fault.New(fault.GateRefused, "the gate refused %s, and %s: %s; dssdnet model promote %s overrules it", m.Version, remains(result.Current), m.Reason, m.Version)
	}
	return result, nil
}

func remains(current string) string {
	if current == "" {
		return "there is still no current model"
	}
	return current + " remains the current model"
}

// known returns the version that the candidate has already: of the same weights with the same run, or the current one
// itself, which has scored other groups since.
func known(models registry.Registry, found *candidate) (m registry.Model, is bool, current string, err error) {
	if m, is, err = models.Find(found.weights(), found.run.SHA256); is || err != nil {
		return m, is, "", err
	}
	if current, err = models.Current(); current == "" || err != nil {
		return m, false, "", err
	}
	if m, err = models.Get(current); err != nil {
		return m, false, current, err
	}
	return m, m.Lineage.Weights() == found.weights(), current, nil
}

// meet lets the current model score what the candidate has scored, and returns its version; "" when there is none, or
// nothing to judge.
func (c Config) meet(ctx context.Context, models registry.Registry, found *candidate) (string, error) {
	_, is, current, err := known(models, found)
	if is || current == "" || err != nil {
		return "", err
	}
	return current, c.score(ctx, found, current)
}

// version is the candidate's in the registry: one that it has already, or a new one that the gate has judged.
func (c Config) version(ctx context.Context, w *registry.Writer, found *candidate, opponent string) (m registry.Model, is bool, err error) {
	m, is, current, err := known(w.Registry, found)
	if is || err != nil {
		return m, is, err
	}
	if current != opponent {
		return m, false, fmt.Errorf("the current model was changed by another command, from %q to %q, while the test groups were scored: run the same again", opponent, current)
	}
	m = registry.Model{Baseline: current, Gate: c.gate(), Set: c.Set}
	if m.Lineage, err = c.lineage(found); err != nil {
		return m, false, err
	}
	if current != "" {
		run, err := hashRun(c.Workspace, c.Baseline)
		if err != nil {
			return m, false, err
		}
		m.Lineage.BaselineRun = &run
	}
	if err := c.judge(ctx, &m, current); err != nil {
		return m, false, err
	}
	m, err = w.Register(m, found.dir)
	return m, false, err
}

// follow moves current to a version that the gate let pass. A version that was current once is not moved to again: who
// rolled it back knew why. One that never was so, because the promotion was killed, follows if what it was compared with
// is current still.
func (c Config) follow(w *registry.Writer, m registry.Model) error {
	if m.Status != registry.Promoted || w.MovedTo(m.Version) {
		return nil
	}
	current, err := c.Workspace.CurrentModel()
	if err != nil || current != m.Baseline {
		return err
	}
	_, err = w.Point(registry.ByGate, m.Version, m.Reason)
	return err
}

// show leaves the decision where the report of it will find it.
func (c Config) show(m registry.Model) error {
	g := report.Gate{
		Version: m.Version, Promoted: m.Status == registry.Promoted, Reason: m.Reason, Baseline: m.Baseline, Rule: m.Gate,
		Run: m.Lineage.Run, BaselineRun: m.Lineage.BaselineRun,
	}
	return g.Write(filepath.Join(c.Workspace.Table("reports"), c.report()))
}
