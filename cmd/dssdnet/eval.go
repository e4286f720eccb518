package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/interpolate"
	"dssdnet/eval/report"
	"dssdnet/eval/weigh"
)

func (a *app) evalCommand() *cobra.Command {
	cfg := eval.Default()
	c := a.stageCommand(stage{
		use:   "eval --run FILE... --set NAME",
		short: "Measures of TREC runs against qrels, by slice, in reports/",
		long: `Scores TREC runs, ours or anybody's, against a qrels set of the workspace or a qrels file: Recall, PRES, MAP, AP, nDCG,
RR, Success at any cut-off, over all topics of the qrels (a topic without a run counts 0), and by domain, IPC section,
language, number of golds and whether the pool has them.`,
		example: `  dssdnet eval --run work/runs/first.trec.gz --set 2011-test --pool bm25
  dssdnet eval --run theirs.txt --qrels qrels.txt --measures 'nDCG,AP(rel=2)' --cutoffs 10,100`,
		args:    cobra.NoArgs,
		section: "eval", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return eval.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return result.(eval.Result).WriteTable(w) },
	})
	c.AddCommand(a.evalCompareCommand(), a.evalReportCommand(), a.evalWeighCommand(), a.evalInterpolateCommand())
	return c
}

func (a *app) evalCompareCommand() *cobra.Command {
	cfg := compare.Default()
	return a.stageCommand(stage{
		use:   "compare RUN RUN...",
		short: "Whether runs differ: wins, randomization test, bootstrap interval",
		long: `Compares runs with a baseline topic by topic: wins and losses, a paired randomization test with Holm's correction, a
bootstrap interval of the mean difference, seeds of one model as mean and deviation, and the topics with the biggest
gains and losses. With --pool the pool is the baseline.`,
		example: `  dssdnet eval compare work/runs/bert.trec.gz work/runs/dssdnet.trec.gz --set 2011-test --pool bm25`,
		args:    cobra.MinimumNArgs(1),
		section: "eval-compare", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.Runs = a.workspace(), a.log, a.progress, args
			return compare.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return result.(compare.Result).WriteTable(w) },
	})
}

func (a *app) evalReportCommand() *cobra.Command {
	cfg := report.Default()
	return a.stageCommand(stage{
		use:   "report RUN...",
		short: "report.html: figures, curves and a topic explorer in one file",
		long: `Writes reports/NAME/report.html, a page that works offline, with report.md and report.json: what was trained on what,
measures with significance, curves over the ranks, bars by domain and section, a scatter of topics against the pool,
loss curves, scores by label, and an explorer of topics and their candidates.`,
		example: `  dssdnet eval report work/runs/*.trec.gz --set 2011-test --pool bm25`,
		args:    cobra.MinimumNArgs(1),
		section: "eval-report", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.Runs = a.workspace(), a.log, a.progress, args
			return report.Run(ctx, cfg)
		},
	})
}

func (a *app) evalWeighCommand() *cobra.Command {
	cfg := weigh.Default()
	return a.stageCommand(stage{
		use:   "weigh RUN... --pool NAME --set NAME",
		short: "The weight of a model beside its pool, chosen on validation topics",
		long: `Measures the mixture of a model and its pool at every weight, over the topics of a set and the runs of all seeds, and names
the best weight, for eval interpolate. The topics are to be others than those that are reported: sample --groups-only
makes groups of validation topics, rerank scores them.`,
		example: `  dssdnet sample --pairs valid --pool bm25 --sets 2011-valid --groups-only
  dssdnet rerank --checkpoint work/checkpoints/first/best --pairs valid --run first-valid
  dssdnet eval weigh work/runs/first-valid.trec.gz --pool bm25 --set 2011-valid`,
		args:    cobra.MinimumNArgs(1),
		section: "eval-weigh", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress, cfg.Models = a.workspace(), a.log, a.progress, args
			return weigh.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return result.(weigh.Result).WriteTable(w) },
	})
}

func (a *app) evalInterpolateCommand() *cobra.Command {
	cfg := interpolate.Default()
	return a.stageCommand(stage{
		use:   "interpolate RUN --pool NAME --run NAME",
		short: "A run's scores mixed with those of a pool or another run",
		long: `Makes a run whose scores are a weighted sum of two, each topic's scores brought to one scale first. Choose the weight
on validation topics (eval weigh) and report it beside the plain run.`,
		example: `  dssdnet eval interpolate work/runs/first.trec.gz --pool bm25 --weight 0.7 --run first-bm25
  dssdnet eval interpolate work/runs/first.trec.gz --pool bm25 --weights work/reports/valid/weights.json --run first-bm25`,
		args:    cobra.ExactArgs(1),
		section: "eval-interpolate", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Model = a.workspace(), a.log, args[0]
			return interpolate.Run(ctx, cfg)
		},
	})
}
