package report

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"dssdnet/eval"
	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
)

// Result of one report.
type Result struct {
	Report   string   `json:"report"`
	HTML     string   `json:"html"`
	Bytes    int64    `json:"bytes"` // of the page
	Topics   int      `json:"topics"`
	Runs     int      `json:"runs"`
	Explored int      `json:"explored"` // topics in the explorer
	Warnings []string `json:"warnings"`
	Seconds  float64  `json:"seconds"`
}

// Run evaluates, compares and writes the report.
func Run(ctx context.Context, c Config) (Result, error) {
	started := time.Now()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	gate, err := c.takeGate()
	if err != nil {
		return Result{}, err
	}
	w := &watcher{config: c}
	e, err := eval.Evaluate(ctx, c.Config.Config, w.watch)
	if err != nil {
		return Result{}, err
	}
	data, err := c.gather(ctx, e, w)
	if err != nil {
		return Result{}, err
	}
	data.Gate = gate
	if err := e.Write(data.Eval, started); err != nil {
		return Result{}, err
	}
	page, err := html(data)
	if err != nil {
		return Result{}, err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return Result{}, fmt.Errorf("report %s: %w", c.ReportName(), err)
	}
	result := Result{
		Report: c.ReportName(), HTML: filepath.Join(c.Dir(), "report.html"), Bytes: int64(len(page)), Topics: data.Eval.Topics, Runs: len(data.Eval.Runs),
		Explored: len(data.Explorer.Topics), Warnings: data.Eval.Warnings,
	}
	for _, file := range []struct {
		name string
		data []byte
	}{{"report.json", append(text, '\n')}, {"report.md", markdown(data)}, {"report.html", page}} {
		if err := durable.WriteFile(filepath.Join(c.Dir(), file.name), file.data); err != nil {
			return result, fmt.Errorf("write %s of report %s: %w", file.name, result.Report, err)
		}
	}
	result.Seconds = time.Since(started).Seconds()
	return result, nil
}

// gather makes everything that the page shows.
func (c Config) gather(ctx context.Context, e *eval.Evaluation, w *watcher) (Data, error) {
	d := Data{Title: c.ReportName(), Tool: manifest.Tool, Eval: e.Result(), Histograms: w.histograms}
	var err error
	if d.Compare, err = c.Compare(ctx, e); err != nil {
		return d, err
	}
	systems := d.Compare.Systems
	if d.Curves, err = curves(e, systems); err != nil {
		return d, err
	}
	d.Slices = sliceParts(d.Eval, systems)
	d.Points = points(e, systems)
	if d.Trainings, err = c.trainings(); err != nil {
		return d, err
	}
	if d.Explorer, err = w.explorer(ctx, e, systems); err != nil {
		return d, err
	}
	d.Sources, err = c.sources(e, d.Trainings)
	return d, err
}
