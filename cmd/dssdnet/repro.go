package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"dssdnet/eval/repro"
)

func (a *app) reproCommand() *cobra.Command {
	cfg := repro.Default()
	return a.stageCommand(stage{
		use:   "repro FILE.yaml",
		short: "Commands of a matrix, and whether their figures come out as expected",
		long: `Runs the conditions of a matrix, each a list of commands, and compares their figures with the expected ones: OK, OKish
within the tolerance, FAIL beyond it (exit code 5). Matrices lie in eval/repro/matrices.`,
		example: `  dssdnet repro eval/repro/matrices/synthetic.yaml --workspace work/repro`,
		args:    cobra.ExactArgs(1),
		section: "repro", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.File = a.workspace(), a.log, a.progress, args[0]
			return repro.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return result.(repro.Result).WriteTable(w) },
	})
}
