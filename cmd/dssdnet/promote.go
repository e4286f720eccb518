package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/pipelines/promote"
)

func (a *app) promoteCommand() *cobra.Command {
	cfg := promote.Default()
	return a.stageCommand(stage{
		use:   "promote --run NAME --set NAME",
		short: "A trained model becomes the current one, if it is not worse",
		long: `Registers the best checkpoint of a training as a new version in models/, compares the run that it made of the test topics
with that of the current model (which is made when it is not there, and needs libtorch then), and makes it the current
one unless it loses: significantly, or by more than --max-loss. The first model passes. A refusal is exit code 5; the
version, the figures and the reason are kept all the same: dssdnet model list, and the report of --report.

A candidate is judged once. dssdnet model promote VERSION overrules the gate, dssdnet model rollback goes back.`,
		example: `  dssdnet rerank --checkpoint work/checkpoints/second/best --pairs plain --run second
  dssdnet promote --run second --set 2011-test --pool bm25
  dssdnet eval report work/runs/second.trec.gz --set 2011-test --pool bm25`,
		args:    cobra.NoArgs,
		section: "promote", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return promote.Run(ctx, cfg)
		},
	})
}
