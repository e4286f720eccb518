package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
	"dssdnet/schemas"
)

const stage = "eval"

// Run scores the runs and writes the files of the report.
func Run(ctx context.Context, c Config) (Result, error) {
	started := time.Now()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	e, err := Evaluate(ctx, c, nil)
	if err != nil {
		return Result{}, err
	}
	result := e.Result()
	for _, warning := range result.Warnings {
		c.Log.Warn(warning)
	}
	if err := e.Write(result, started); err != nil {
		return result, err
	}
	result.Seconds = time.Since(started).Seconds()
	return result, nil
}

// Write puts the files of the evaluation into its folder. eval.json is written last: it is there when all is.
func (e *Evaluation) Write(result Result, started time.Time) (err error) {
	if err := os.MkdirAll(e.Config.Dir(), 0o755); err != nil {
		return fmt.Errorf("make the folder of report %s: %w", result.Report, err)
	}
	lock, err := durable.TryLock(filepath.Join(e.Config.Dir(), ".lock"), fmt.Sprintf("process %d", os.Getpid()))
	if err != nil {
		return fmt.Errorf("report %s is being written by another command: wait for it, or choose another --report: %w", result.Report, err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := durable.Sweep(e.Config.Dir()); err != nil {
		return fmt.Errorf("clear up report %s: %w", result.Report, err)
	}
	result.Seconds = 0
	data, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name  string
		write func(path string) error
	}{
		{"topics.parquet", e.writeTopics},
		{"perquery.csv", e.writePerQuery},
		{"aggregated.csv", result.writeAggregated},
		{"slices.csv", result.writeSlices},
		{"eval.json", func(path string) error { return durable.WriteFile(path, append(data, '\n')) }},
	} {
		if err := file.write(filepath.Join(e.Config.Dir(), file.name)); err != nil {
			return fmt.Errorf("write %s of report %s: %w", file.name, result.Report, err)
		}
	}
	return e.record(data, started)
}

// record writes the manifest of the evaluation.
func (e *Evaluation) record(result []byte, started time.Time) error {
	c := e.Config
	config, err := json.Marshal(map[string]any{
		"run": c.Runs, "set": c.Set, "qrels": c.Qrels, "pool": c.Pool, "measures": c.Measures, "cutoffs": c.Cutoffs, "raw-ids": c.RawIDs, "exact": c.Exact,
	})
	if err != nil {
		return err
	}
	err = manifest.Manifest{
		Stage: stage, Name: c.ReportName(), Schema: schemas.Metrics.Tag(), Inputs: e.Inputs, Config: config, Result: result,
		Started: started, Finished: time.Now(),
	}.Write(c.Workspace.Manifests())
	if err != nil {
		return fmt.Errorf("manifest of report %s: %w", c.ReportName(), err)
	}
	return nil
}
