package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/qrels"
)

func (a *app) qrelsCommand() *cobra.Command {
	cfg := qrels.Default()
	return a.stageCommand(stage{
		use:   "qrels FILE --set NAME",
		short: "Relevance judgements to qrels/",
		long: `Reads qrels with 4 columns (2010: topic 0 document grade) or 3 (2011: topic patent grade), gzipped or not, at
document or patent level. Documents of one patent become one row with the highest grade. Topics with more golds
than --max-golds-per-topic are flagged: 45 topics of 2010 are broken that way.`,
		example: `  dssdnet ingest qrels relass_clef-ip-2011-PAC.txt --set 2011-test`,
		args:    cobra.ExactArgs(1),
		section: "qrels", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.File = a.workspace(), a.log, a.progress, args[0]
			return qrels.Run(ctx, cfg)
		},
	})
}
