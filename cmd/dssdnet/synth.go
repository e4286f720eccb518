package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/synth"
)

func (a *app) synthCommand() *cobra.Command {
	cfg := synth.Default()
	return a.stageCommand(stage{
		use:   "synth OUT",
		short: "A synthetic CLEF-IP collection: XML tree, topics, qrels",
		long: `Writes a collection of made-up patents that behaves like CLEF-IP: vocabulary by IPC subclass, families of A1, A2 and
B1 documents in three languages, missing parts, citations that follow what patents are about, topics and graded
qrels. The same settings give the same bytes.`,
		example: `  dssdnet synth /tmp/clef --patents 2000 --topics 100 --seed 1`,
		args:    cobra.ExactArgs(1),
		section: "synth", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Out, cfg.Log, cfg.Progress = args[0], a.log, a.progress
			return synth.Run(ctx, cfg)
		},
	})
}
