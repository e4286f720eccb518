package promote

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/rerank"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/pipelines/registry"
	"dssdnet/schemas"
)

// The names under which the two models are compared: those of runs could be taken for seeds of one model.
const (
	candidateName = "candidate"
	baselineName  = "baseline"
)

// judge measures the candidate, compares it with the current model if there is one, and fills the decision in.
func (c Config) judge(ctx context.Context, m *registry.Model, current string) error {
	cfg := compare.Default()
	cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
	cfg.Set, cfg.Pool, cfg.Report, cfg.Seed, cfg.Top = c.Set, c.Pool, c.report(), c.Seed, 0
	cfg.Measures = append([]string{c.Measure}, cfg.Measures...)
	cfg.Runs = []string{candidateName + "=" + rerank.RunFile(c.Workspace, c.Run)}
	if current != "" {
		cfg.Runs = append(cfg.Runs, baselineName+"="+rerank.RunFile(c.Workspace, c.Baseline))
	}
	e, err := eval.Evaluate(ctx, cfg.Config, nil)
	if err != nil {
		return err
	}
	for _, input := range e.Inputs {
		if filepath.Dir(input.Path) == filepath.Clean(c.Workspace.Table(schemas.Qrels.Name)) {
			m.Lineage.Qrels = append(m.Lineage.Qrels, manifest.Input{Path: filepath.Join(schemas.Qrels.Name, filepath.Base(input.Path)), Size: input.Size, SHA256: input.SHA256})
		}
	}
	switch {
	case current != "":
		m.Against, cfg.Baseline = current, baselineName
	case c.Pool != "":
		m.Against, cfg.Baseline = "pool "+c.Pool, c.Pool
	default:
		m.Figures = means(e.Result())
		return c.decide(m, e, current)
	}
	result, err := cfg.Compare(ctx, e)
	if err != nil {
		return err
	}
	m.Figures = figures(result)
	return c.decide(m, e, current)
}

// means are the figures of a candidate that is compared with nothing.
func means(r eval.Result) []registry.Figure {
	var all []registry.Figure
	for _, measure := range r.Measures {
		if mean, ok := r.Runs[0].All.Values[measure]; ok {
			all = append(all, registry.Figure{Measure: measure, Mean: mean})
		}
	}
	return all
}

// figures are those of the candidate beside what it was compared with.
func figures(r compare.Result) []registry.Figure {
	var all []registry.Figure
	for _, s := range r.Systems[1:] {
		if s.Name != candidateName {
			continue
		}
		for i, score := range s.Scores {
			if math.IsNaN(score.Mean) {
				continue // no topic has a gold that the measure counts
			}
			test := *score.Test
			all = append(all, registry.Figure{Measure: score.Measure, Mean: score.Mean, Baseline: &r.Systems[0].Scores[i].Mean, Test: &test})
		}
	}
	return all
}

// decide applies the gate to the first figure.
func (c Config) decide(m *registry.Model, e *eval.Evaluation, current string) error {
	if len(m.Figures) == 0 || m.Figures[0].Measure != e.Measures[0].String() {
		return fault.New(fault.Usage, "--measure %s has no value on any topic of set %s", c.Measure, c.Set)
	}
	first := m.Figures[0]
	passed := true
	switch {
	case collapsed(e):
		passed, m.Reason = false, "the model has collapsed: in every topic all candidates have the same score"
	case current == "":
		m.Reason = fmt.Sprintf("%s is %.4f over %d topics, and there is no current model to compare with", first.Measure, first.Mean, len(e.Topics))
	default:
		passed, m.Reason = m.Gate.Decide(first.Mean, *first.Baseline, *first.Test, compare.Default().Confidence)
	}
	m.Status = registry.Refused
	if passed {
		m.Status = registry.Promoted
	}
	return nil
}

// collapsed reports whether the candidate says nothing about any topic.
func collapsed(e *eval.Evaluation) bool {
	for _, run := range e.Runs {
		if run.Name == candidateName {
			return run.Counts.CollapsedTopics > 0 && run.Counts.CollapsedTopics+run.Counts.MissingTopics == int64(len(e.Topics))
		}
	}
	return false
}
