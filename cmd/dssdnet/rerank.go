package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/eval/rerank"
)

func (a *app) rerankCommand() *cobra.Command {
	cfg := rerank.Default()
	return a.stageCommand(stage{
		use:   "rerank --checkpoint DIR --pairs NAME --run NAME",
		short: "A checkpoint scores the test groups: a TREC run in runs/",
		long: `Scores every candidate of every test group with a checkpoint and writes a TREC run, the best candidate first. Scores are
differences of logits in float32. Candidates without text keep the pool's order below the others. The work is saved
topic by topic: repeating the command goes on, and --shard lets several processes share it. Needs libtorch ("make
native").`,
		example: `  dssdnet rerank --checkpoint work/checkpoints/first/best --pairs plain --run first`,
		args:    cobra.NoArgs,
		section: "rerank", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return rerank.Run(ctx, cfg)
		},
	})
}
