package compare

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"dssdnet/eval"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// Run compares the runs and writes the files of the comparison.
func Run(ctx context.Context, c Config) (Result, error) {
	started := time.Now()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	e, err := eval.Evaluate(ctx, c.Config, nil)
	if err != nil {
		return Result{}, err
	}
	result, err := c.Compare(ctx, e)
	if err != nil {
		return result, err
	}
	for _, warning := range result.Warnings {
		c.Log.Warn(warning)
	}
	if err := result.write(c.Dir()); err != nil {
		return result, err
	}
	result.Seconds = time.Since(started).Seconds()
	return result, nil
}

// Compare compares the runs of an evaluation.
func (c Config) Compare(ctx context.Context, e *eval.Evaluation) (Result, error) {
	all := systems(e.Runs)
	base, err := c.baseline(all)
	if err != nil {
		return Result{}, err
	}
	by := 0
	if c.By != "" {
		if by, err = e.Measure(c.By); err != nil {
			return Result{}, fault.New(fault.Usage, "--by: %w", err)
		}
	}
	tests, err := c.test(ctx, e, all, base)
	if err != nil {
		return Result{}, err
	}
	summary := e.Result()
	r := Result{
		Report: c.ReportName(), Baseline: all[base].name, Topics: len(e.Topics), Measures: summary.Measures, By: e.Measures[by].String(),
		Confidence: c.Confidence, Warnings: summary.Warnings,
	}
	r.Systems = append(r.Systems, scored(e, all[base], tests[base]))
	for s := range all {
		if s == base {
			continue
		}
		one := scored(e, all[s], tests[s])
		one.Gains, one.Losses = c.changes(e, all[base], all[s], by)
		r.Systems = append(r.Systems, one)
	}
	return r, r.addTitles(ctx, c)
}

func scored(e *eval.Evaluation, s system, tests []*Test) System {
	one := System{Name: s.name, Runs: s.names()}
	for m := range e.Measures {
		score := Score{Measure: e.Measures[m].String(), Mean: eval.Mean(s.values(m)), Test: tests[m]}
		if d, ok := s.deviation(m); ok {
			score.Deviation = &d
		}
		one.Scores = append(one.Scores, score)
	}
	return one
}

func (r Result) write(dir string) error {
	r.Seconds = 0
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("comparison %s: %w", r.Report, err)
	}
	if err := durable.WriteFile(filepath.Join(dir, "compare.csv"), r.csv()); err != nil {
		return fmt.Errorf("write compare.csv of report %s: %w", r.Report, err)
	}
	if err := durable.WriteFile(filepath.Join(dir, "compare.json"), append(data, '\n')); err != nil {
		return fmt.Errorf("write compare.json of report %s: %w", r.Report, err)
	}
	return nil
}
