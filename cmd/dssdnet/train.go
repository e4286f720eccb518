package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/train"
)

func (a *app) trainCommand() *cobra.Command {
	cfg := train.Default()
	return a.stageCommand(stage{
		use:   "train --run NAME --pairs NAME --encoder DIR|ID",
		short: "Pairs to checkpoints of a re-ranker in checkpoints/NAME",
		long: `Trains a cross-encoder on the pairs: DSSDNet, or one of its ablations with --model (bert, ds_sd, ds_sd_mr, dssdnet). The
encoder is a folder of a BERT model in the Hugging Face layout, the id of one on the hub (taken from the cache that its
tools share, HF_HOME, else downloaded from HF_ENDPOINT), or "tiny": a small random one with a vocabulary learnt on the
pairs. --init starts from a checkpoint's weights instead, --init current from those of the current model (dssdnet model).
Checkpoints are whole or not there; --resume goes on to the same bits, and --replace starts again where that cannot be
because the pairs or the settings are others. An interrupt saves and exits with 130. Needs libtorch: "make native" builds the library that loads it.`,
		example: `  dssdnet train --run first --pairs plain --encoder models/bert-base-uncased
  dssdnet train --run ablation --pairs plain --encoder tiny --model ds_sd --seeds 1,2,3`,
		args:    cobra.NoArgs,
		section: "train", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return train.Run(ctx, cfg)
		},
	})
}
