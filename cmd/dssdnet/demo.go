package main

import (
	"context"
	"fmt"
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

// demo runs three pipelines and returns the result of the last, or of the one that failed. A refusal of the gate is no
// failure here: it is what the demo shows.
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
	begun, err := a.demoBegun(ctx, weeks[0])
	if err != nil {
		return result, err
	}
	if begun {
		a.log.Info("the first model is there, and the second batch has gone into its tables: the pipeline demo is left out")
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
		c := pipelines.Default()
		c.File, c.Set = one.pipeline, one.set
		if err := a.provide(&c); err != nil {
			return result, err
		}
		if result, err = pipelines.Run(ctx, c); err != nil {
			break
		}
	}
	if fault.KindOf(err) == fault.GateRefused {
		a.log.Warn("the gate refused the second model; the first stays", "reason", err)
		err = nil
	}
	return result, err
}

// demoBegun reports whether the workspace has the first model of this collection. What came after it has changed the tables
// that it was made of; it would not be the same again.
func (a *app) demoBegun(ctx context.Context, first week) (bool, error) {
	if current, err := a.workspace().CurrentModel(); err != nil || current == "" {
		return false, err
	}
	c := pipelines.Default()
	c.File, c.Set, c.Until, c.DryRun = first.pipeline, first.set, "synth", true
	if err := a.provide(&c); err != nil {
		return false, err
	}
	r, err := pipelines.Run(ctx, c)
	return err == nil && r.Steps[0].Status == pipelines.WouldSkip, err
}
