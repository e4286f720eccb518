package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"dssdnet/index/fuse"
)

func (a *app) indexFuseCommand() *cobra.Command {
	cfg := fuse.Default()
	return a.stageCommand(stage{
		use:   "fuse POOL POOL...",
		short: "Several pools to one by reciprocal rank fusion",
		long: `Fuses pools of the same topics: a patent scores the sum of 1/(k+rank) over the pools it is in. Scores of different
scales do not matter.`,
		example: `  dssdnet index fuse title-abstract claims --pool fused`,
		args:    cobra.MinimumNArgs(2),
		section: "index-fuse", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.Pools = a.workspace(), a.log, a.progress, args
			return fuse.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return printFused(w, result.(fuse.Result)) },
	})
}

func printFused(w io.Writer, r fuse.Result) error {
	fmt.Fprintf(w, "%s candidates of %s topics in pools/%s\n", thousands(r.Rows), thousands(r.Topics), r.Pool)
	if r.Quality == nil {
		return nil
	}
	return printQuality(w, "golds", *r.Quality)
}
