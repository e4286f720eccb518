package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/topics"
)

func (a *app) topicsCommand() *cobra.Command {
	cfg := topics.Default()
	return a.stageCommand(stage{
		use:   "topics FILE|DIR --set NAME --split SPLIT",
		short: "A CLEF-IP topic set to topics/",
		long: `Reads a topic set: the PAC_topics.xml of 2010 with the files it names, or a folder of topic documents as in 2011,
also inside .tar.gz and .zip. Citations of the topics are dropped: the qrels were made of them.`,
		example: `  dssdnet ingest topics PAC_topics.xml --set 2010-test --split test
  dssdnet ingest topics PAC_topics/files --set 2011-test --split test`,
		args:    cobra.ExactArgs(1),
		section: "topics", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.Path = a.workspace(), a.log, a.progress, args[0]
			return topics.Run(ctx, cfg)
		},
	})
}
