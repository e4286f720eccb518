package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/merge"
)

func (a *app) mergeCommand() *cobra.Command {
	cfg := merge.Default()
	return a.stageCommand(stage{
		use:   "merge",
		short: "documents/ to patents/: one row per patent",
		long: `Merges the documents of each patent, section by section: the newest document that has a section gives it. Only
patents with new documents are computed again; the rest of patents/ is kept. Nothing new means nothing to do.`,
		args:    cobra.NoArgs,
		section: "merge", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return merge.Run(ctx, cfg)
		},
	})
}
