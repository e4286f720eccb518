package weigh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"dssdnet/eval"
	"dssdnet/eval/interpolate"
	"dssdnet/eval/trec"
	"dssdnet/index/pool"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// Run measures all weights and writes them.
func Run(ctx context.Context, c Config) (_ Result, err error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	e, err := eval.Open(ctx, c.evaluation())
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	base, err := trec.ReadPool(pool.Dir(c.Workspace, c.Pool), trec.Options{Exact: true})
	if err != nil {
		return Result{}, err
	}
	result := c.newResult(e)
	task := progress.Or(c.Progress).Start("weigh", int64(len(c.Models)*len(result.Weights)), "weights")
	defer task.Done()
	for _, path := range c.Models {
		if err := c.add(ctx, &result, e, base, path, task); err != nil {
			return Result{}, err
		}
	}
	result.choose()
	if result.Unmatched > 0 {
		c.Log.Warn("the runs and the pool are not of the same candidates", "candidates of one only", result.Unmatched)
	}
	data, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return result, err
	}
	if err := durable.WriteFile(c.file(), append(data, '\n')); err != nil {
		return result, fmt.Errorf("write the weights: %w", err)
	}
	result.File = c.file()
	return result, nil
}

// add adds the share of one run to the averages.
func (c Config) add(ctx context.Context, result *Result, e *eval.Evaluation, base *trec.Run, path string, task progress.Task) error {
	model, err := trec.ReadRun(ctx, path, trec.Options{Exact: true})
	if err != nil {
		return err
	}
	aligned := map[string]*interpolate.Aligned{}
	for _, topic := range model.Topics() {
		if base.Ranking(topic) == nil {
			return fault.New(fault.Rejected, "run %s: topic %s is not in pool %s: name the pool that the run re-ranks with --pool", path, topic, c.Pool)
		}
		aligned[topic] = c.Align(model.Ranking(topic), base.Ranking(topic))
		result.Unmatched += aligned[topic].Unmatched
	}
	for i := range result.Weights {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := &result.Weights[i]
		b := trec.NewBuilder(trec.Options{})
		for _, topic := range model.Topics() {
			for _, row := range aligned[topic].Mix(w.Weight) {
				if err := b.Add(topic, row.ID, row.Score); err != nil {
					return fmt.Errorf("run %s: %w", path, err)
				}
			}
		}
		scored, err := e.Score(fmt.Sprintf("%s at weight %g", path, w.Weight), b.Run())
		if err != nil {
			return err
		}
		if n := scored.Counts.MissingTopics; n > 0 && i == 0 {
			c.Log.Warn("topics of the set have no ranking in the run and score 0 at every weight", "run", path, "topics", n)
		}
		for m, name := range result.Measures {
			w.Values[name] += eval.Mean(scored.Values[m]) / float64(len(c.Models))
		}
		task.Add(1)
	}
	return nil
}
