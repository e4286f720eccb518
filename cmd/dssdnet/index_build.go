package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/index/build"
)

func (a *app) indexBuildCommand() *cobra.Command {
	cfg := build.Default()
	return a.stageCommand(stage{
		use:   "build",
		short: "patents/ to a BM25 index in index/",
		long: `Indexes the English title and abstract of every patent, or the fields that --fields names. A later run adds what is
new or changed and takes out what is gone; statistics stay exact, and the index is built from nothing when the
changes pass --max-delta-share. A build never changes once it has its name, which is a hash of its content.`,
		example: `  dssdnet index build
  dssdnet index build --fields text=title+abstract,claims=claims`,
		args:    cobra.NoArgs,
		section: "index-build", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return build.Run(ctx, cfg)
		},
	})
}
