package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"dssdnet/pipelines"
)

// demoConfig are the variables of the pipeline demo that have flags.
type demoConfig struct {
	Patents int   `yaml:"patents" help:"patents of the synthetic collection"`
	Topics  int   `yaml:"topics" help:"topics of the synthetic collection"`
	Seed    int64 `yaml:"seed" help:"seed of the synthetic collection"`
}

func (a *app) demoCommand() *cobra.Command {
	cfg := demoConfig{Patents: 4000, Topics: 120, Seed: 1}
	return a.pipelineCommand(&cobra.Command{
		Use:   "demo",
		Short: "The pipeline demo: a small synthetic collection, from nothing to a report",
		Long: `Makes a synthetic collection in the workspace and takes it through all stages on the embedded broker and the
processor: tables, pools, pairs, a re-ranker, its measures and a report, whose path is printed last. Nothing is
downloaded. It is "dssdnet run demo" with the variables as flags; training needs libtorch ("make native").`,
		Example: `  dssdnet demo --workspace work/demo`,
		Args:    cobra.NoArgs,
	}, &cfg, func(ctx context.Context, _ []string) (pipelines.Result, error) {
		c := pipelines.Default()
		c.File = "demo"
		c.Set = []string{fmt.Sprintf("patents=%d", cfg.Patents), fmt.Sprintf("topics=%d", cfg.Topics), fmt.Sprintf("seed=%d", cfg.Seed)}
		if err := a.provide(&c); err != nil {
			return pipelines.Result{}, err
		}
		return pipelines.Run(ctx, c)
	})
}
