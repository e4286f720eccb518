package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/publish"
)

func (a *app) publishCommand() *cobra.Command {
	cfg := publish.Default()
	return a.stageCommand(stage{
		use:   "publish PATH...",
		short: "Patent XML files, folders and archives to the topic patents.xml",
		long: `Publishes every patent document below the paths: XML files, folder trees, .zip, .tar, .tar.gz and .gz archives, and
files that hold several documents. All documents of a patent go to one partition, in the order they were found.
Files without a root element (.DS_Store, images, text) are counted and skipped; what cannot be read goes to the
dead letter topic with its reason. Publishing the same files again adds no row downstream.

Without --brokers the embedded broker of the workspace takes the documents. It keeps at most --spool-bytes of them
that are not consumed yet: for a large collection run "dssdnet ingest consume" at the same time.`,
		example: `  dssdnet ingest publish /data/clef-ip/01_document_collection
  dssdnet ingest publish --brokers kafka-1:9092 weekly-2026-48.tar.gz`,
		args:    cobra.MinimumNArgs(1),
		section: "publish", config: &cfg, embedded: true,
		schema: "records/1",
		run: func(ctx context.Context, args []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress, cfg.Paths = a.workspace(), kafka, a.log, a.progress, args
			return publish.Run(ctx, cfg)
		},
	})
}
