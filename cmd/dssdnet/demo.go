package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/internal/query"
	"dssdnet/pipelines/demo"
)

// demoSQL is the question that the demo ends with.
const demoSQL = `SELECT subclass, count(*) AS patents, count(abstract) AS with_abstract, sum(len(citations)) AS citations
FROM patents, unnest(ipc_subclasses) AS u(subclass) GROUP BY ALL ORDER BY patents DESC, subclass LIMIT 5`

func (a *app) demoCommand() *cobra.Command {
	cfg := demo.Default()
	return a.stageCommand(stage{
		use:   "demo",
		short: "The pipeline on a small synthetic collection",
		long: `Makes a synthetic collection in the workspace and takes it through the stages on the embedded broker: publish,
consume, merge, topics, qrels, index, pools, pairs, and a query at the end. Nothing has to be installed or downloaded.`,
		example: `  dssdnet demo --workspace work/demo`,
		args:    cobra.NoArgs,
		section: "demo", config: &cfg, embedded: true,
		run: func(ctx context.Context, _ []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = a.workspace(), kafka, a.log, a.progress
			return demo.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return a.printDemo(w, result.(demo.Result)) },
	})
}

// printDemo shows the steps, then the answer to a query as the user can ask it.
func (a *app) printDemo(w io.Writer, result demo.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range result.Steps {
		fmt.Fprintf(t, "%s\t%.1f s\t%s\n", s.Stage, s.Seconds, s.Did)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\ndssdnet query --workspace %s \"%s\"\n\n", a.global.Workspace, demoSQL)
	cfg := query.Default()
	cfg.Workspace, cfg.Log, cfg.SQL, cfg.Out = a.workspace(), a.log, demoSQL, w
	_, err := query.Run(context.Background(), cfg)
	return err
}
