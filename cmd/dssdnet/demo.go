package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"dssdnet/internal/fault"
	"dssdnet/pipelines"
)

// demoConfig is the synthetic collection of the demo.
type demoConfig struct {
	Patents    int   `yaml:"patents" help:"patents of the synthetic collection"`
	Topics     int   `yaml:"topics" help:"topics of the synthetic collection, for training, validation and test"`
	NewPatents int   `yaml:"new-patents" help:"patents of the batch that comes a week later"`
	NewTopics  int   `yaml:"new-topics" help:"topics of that batch"`
	Seed       int64 `yaml:"seed" help:"seed of the synthetic collection"`
}

func (a *app) demoCommand() *cobra.Command {
	cfg := demoConfig{Patents: 4500, Topics: 720, NewPatents: 500, NewTopics: 80, Seed: 1}
	return a.pipelineCommand(&cobra.Command{
		Use:   "demo",
		Short: "A small synthetic collection, from nothing to a report, and a week later again",
		Long: `Makes a synthetic collection in the workspace and takes it through all stages on the embedded broker and the
processor: tables, pools, pairs, a re-ranker, its measures, a report, the first model. Then a second batch of patents
arrives, and the pipeline retrain makes a new model that the gate lets pass or refuses. The path of the last report is
printed last. Nothing is downloaded. It is "dssdnet run demo", "run demo-week" and "run retrain"; with --json it prints
the result of the last. Training needs libtorch ("make native").`,
		Example: `  dssdnet demo --workspace work/demo`,
		Args:    cobra.NoArgs,
	}, &cfg, func(ctx context.Context, _ []string) (pipelines.Result, error) { return a.demo(ctx, cfg) })
}

// week is a pipeline with its variables.
type week struct {
	pipeline string
	set      []string
}

// demo runs three pipelines and returns the result of the last, or of the one that failed. That the gate refuses the
// second model is no failure here: it is what the demo shows.
func (a *app) demo(ctx context.Context, cfg demoConfig) (result pipelines.Result, err error) {
	batch := filepath.Join(a.global.Workspace, "collection-2")
	weeks := []week{
		{"demo", []string{fmt.Sprint("patents=", cfg.Patents), fmt.Sprint("topics=", cfg.Topics), fmt.Sprint("seed=", cfg.Seed)}},
		{"demo-week", []string{
			fmt.Sprint("first=", cfg.Patents+1), fmt.Sprint("new-patents=", cfg.NewPatents), fmt.Sprint("new-topics=", cfg.NewTopics), fmt.Sprint("seed=", cfg.Seed),
			"batch=" + batch,
		}},
		{"retrain", []string{
			"incoming=" + filepath.Join(batch, "collection"), "from=", "hits=400", "valid-share=0", "learning-rate=1e-3", "epochs=4",
		}},
	}
	if past, err := a.firstWeekPast(ctx, weeks[0], batch); err != nil {
		return result, err
	} else if past {
		a.log.Info("the second batch is there: the pipeline demo, whose tables it goes into, is left out")
		weeks = weeks[1:]
	}
	for _, one := range weeks {
		if len(result.Steps) > 0 && !a.global.JSON {
			a.closeProgress()
			if err := printSteps(a.stdout, result); err != nil {
				return result, err
			}
			fmt.Fprintln(a.stdout)
		}
		if result, err = a.runWeek(ctx, one, pipelines.Default()); err != nil {
			break
		}
	}
	if result.Pipeline == "retrain" && fault.KindOf(err) == fault.GateRefused {
		a.log.Warn("the gate refused the second model; the first stays", "reason", err)
		err = nil
	}
	return result, err
}

func (a *app) runWeek(ctx context.Context, one week, c pipelines.Config) (pipelines.Result, error) {
	c.File, c.Set = one.pipeline, one.set
	if err := a.provide(&c); err != nil {
		return pipelines.Result{}, err
	}
	return pipelines.Run(ctx, c)
}

// firstWeekPast reports whether the demo of this collection has come to its second batch, which it does when the first
// pipeline is through. The batch changes the tables that the first model was made of, and it would be made again.
func (a *app) firstWeekPast(ctx context.Context, first week, batch string) (bool, error) {
	if _, err := os.Stat(batch); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	c := pipelines.Default()
	c.Until, c.DryRun = "synth", true
	r, err := a.runWeek(ctx, first, c)
	return err == nil && r.Steps[0].Status == pipelines.WouldSkip, err
}
