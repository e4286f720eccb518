package pipelines

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/interpolate"
	"dssdnet/eval/report"
	"dssdnet/eval/weigh"
	"dssdnet/internal/settings"
)

var (
	evalFiles    = []string{"topics.parquet", "perquery.csv", "aggregated.csv", "slices.csv", "eval.json"}
	compareFiles = []string{"compare.csv", "compare.json"}
	pageFiles    = []string{"report.html", "report.md", "report.json"}
)

func bindEval(p place) *binding {
	cfg := eval.Default()
	return &binding{
		section: settings.New("eval", &cfg), take: noArgs,
		check:  validated(&cfg),
		reads:  func() []ref { return p.judged(cfg) },
		writes: func() []ref { return []ref{p.report(cfg.ReportName(), evalFiles...)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return eval.Run(ctx, cfg)
		},
	}
}

// judged is what an evaluation reads: runs, qrels, and what describes topics and golds.
func (p place) judged(c eval.Config) []ref {
	all := optional(p.table(topicSets), p.table(patents))
	if c.Set != "" {
		all = append(all, p.sets(qrelSets, []string{c.Set})...)
	} else {
		all = append(all, p.file(c.Qrels))
	}
	if c.Pool != "" {
		all = append(all, p.table("pools/"+c.Pool))
	}
	for _, run := range c.Runs {
		if name, path, ok := strings.Cut(run, "="); ok && !strings.Contains(name, "/") {
			run = path
		}
		all = append(all, p.file(run))
	}
	return all
}

func bindEvalCompare(p place) *binding {
	cfg := compare.Default()
	return &binding{
		section: settings.New("eval-compare", &cfg), take: func(args []string) { cfg.Runs = args }, least: 1, most: many,
		check: validated(&cfg),
		reads: func() []ref { return p.judged(cfg.Config) },
		writes: func() []ref {
			r := p.report(cfg.ReportName(), compareFiles...)
			r.name += "/compare.json" // in the folder of the evaluation
			return []ref{r}
		},
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return compare.Run(ctx, cfg)
		},
	}
}

func bindEvalReport(p place) *binding {
	cfg := report.Default()
	return &binding{
		section: settings.New("eval-report", &cfg), take: func(args []string) { cfg.Runs = args }, least: 1, most: many,
		check: validated(&cfg),
		reads: func() []ref {
			all := append(p.judged(cfg.Config.Config), optional(p.gate(cfg.ReportName()))...)
			if len(cfg.Training) == 0 {
				return append(all, optional(p.table("checkpoints"))...)
			}
			for _, dir := range cfg.Training {
				all = append(all, p.file(dir))
			}
			return all
		},
		writes: func() []ref { return []ref{p.report(cfg.ReportName(), slices.Concat(pageFiles, evalFiles)...)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return report.Run(ctx, cfg)
		},
	}
}

// gate is the decision over a model that is shown in a report.
func (p place) gate(report string) ref {
	r := p.report(report, "gate.json")
	r.name += "/gate.json"
	return r
}

func bindEvalWeigh(p place) *binding {
	cfg := weigh.Default()
	return &binding{
		section: settings.New("eval-weigh", &cfg), take: func(args []string) { cfg.Models = args }, least: 1, most: many,
		check: validated(&cfg),
		reads: func() []ref {
			return p.judged(eval.Config{Runs: cfg.Models, Set: cfg.Set, Pool: cfg.Pool})
		},
		writes: func() []ref {
			r := p.report(cmp.Or(cfg.Report, cfg.Set), "weights.json")
			r.name += "/weights.json"
			return []ref{r}
		},
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return weigh.Run(ctx, cfg)
		},
	}
}

func bindEvalInterpolate(p place) *binding {
	cfg := interpolate.Default()
	return &binding{
		section: settings.New("eval-interpolate", &cfg), take: func(args []string) { cfg.Model = args[0] }, least: 1, most: 1,
		check: validated(&cfg),
		reads: func() []ref {
			all := []ref{p.file(cfg.Model)}
			if cfg.Weights != "" {
				all = append(all, p.file(cfg.Weights))
			}
			if cfg.Base != "" {
				return append(all, p.file(cfg.Base))
			}
			return append(all, p.table("pools/"+cfg.Pool))
		},
		writes: func() []ref { return []ref{p.run(cfg.Run)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log = w.workspace, w.log
			return interpolate.Run(ctx, cfg)
		},
	}
}
