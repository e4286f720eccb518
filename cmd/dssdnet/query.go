package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/internal/query"
)

func (a *app) queryCommand() *cobra.Command {
	cfg := query.Default()
	return a.stageCommand(stage{
		use:   `query "SELECT ..."`,
		short: "DuckDB over the tables of the workspace",
		long: `Runs one SQL statement. Every table of the workspace is a view: documents, patents, topics, qrels, pools, metrics
(docs/tables.md). --format is table, csv, json, jsonl or parquet.`,
		example: `  dssdnet query "SELECT country, count(*) FROM patents GROUP BY ALL"
  dssdnet query --format csv "SELECT patent_id, title FROM patents WHERE list_contains(ipc_subclasses, 'A61K')"`,
		args:    cobra.ExactArgs(1),
		section: "query", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.SQL, cfg.Out = a.workspace(), a.log, args[0], a.stdout
			if a.global.JSON {
				cfg.Format = "json"
			}
			_, err := query.Run(ctx, cfg)
			return nil, err
		},
	})
}
