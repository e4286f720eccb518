package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/consume"
	"dssdnet/schemas"
)

func (a *app) consumeCommand() *cobra.Command {
	cfg := consume.Default()
	return a.stageCommand(stage{
		use:   "consume",
		short: "The topic patents.xml to Parquet in documents/",
		long: `Reads the topic as a member of a consumer group, parses the documents and writes them to documents/. With
--until-end it stops at the offsets that the topic has at the start: a batch. Otherwise it runs until it is
interrupted. Several processes on the same workspace share the partitions.

The files are the position: each is named by the first offset it holds and appears whole or not at all, so a killed
consumer neither loses nor doubles a document. A document that cannot be parsed goes to the dead letter topic with
its reason. A document that is already there with the same content adds no row.`,
		example: `  dssdnet ingest consume --until-end
  dssdnet ingest consume --brokers kafka-1:9092 --metrics-addr :9100`,
		args:    cobra.NoArgs,
		section: "consume", config: &cfg, embedded: true,
		schema: schemas.Documents.Tag(),
		run: func(ctx context.Context, _ []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = a.workspace(), kafka, a.log, a.progress
			return consume.Run(ctx, cfg)
		},
	})
}
