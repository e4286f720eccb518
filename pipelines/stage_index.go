package pipelines

import (
	"context"

	"dssdnet/index/build"
	"dssdnet/index/fuse"
	"dssdnet/index/search"
	"dssdnet/internal/settings"
	"dssdnet/sampler"
)

func bindIndexBuild(p place) *binding {
	cfg := build.Default()
	return &binding{
		section: settings.New("index-build", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: refs(p.table(patents)), writes: refs(p.index()),
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return build.Run(ctx, cfg)
		},
	}
}

func bindIndexSearch(p place) *binding {
	cfg := search.Default()
	return &binding{
		section: settings.New("index-search", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: func() []ref {
			all := append([]ref{p.index()}, p.sets(topicSets, cfg.Sets)...)
			return append(all, p.golds(cfg.Qrels)...)
		},
		writes: func() []ref { return p.pool(cfg.Pool, cfg.TREC) },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return search.Run(ctx, cfg)
		},
	}
}

func bindIndexFuse(p place) *binding {
	cfg := fuse.Default()
	return &binding{
		section: settings.New("index-fuse", &cfg), take: func(args []string) { cfg.Pools = args }, least: 2, most: many,
		check: validated(&cfg),
		reads: func() []ref {
			all := append(p.golds(cfg.Qrels), optional(p.index())...)
			for _, name := range cfg.Pools {
				all = append(all, p.table("pools/"+name))
			}
			return all
		},
		writes: func() []ref { return p.pool(cfg.Pool, cfg.TREC) },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return fuse.Run(ctx, cfg)
		},
	}
}

// golds are the qrels that a pool is measured with, if there are any.
func (p place) golds(sets []string) []ref {
	if len(sets) == 0 {
		return optional(p.table(qrelSets))
	}
	return p.sets(qrelSets, sets)
}

// pool is a pool, and the run file that is made of it when one is named.
func (p place) pool(name, trec string) []ref {
	all := []ref{p.table("pools/" + name)}
	if trec != "" {
		all = append(all, p.file(trec))
	}
	return all
}

func bindSample(p place) *binding {
	cfg := sampler.Default()
	return &binding{
		section: settings.New("sample", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: func() []ref {
			golds := cfg.QrelsSets
			if len(golds) == 0 {
				golds = cfg.Sets
			}
			all := append([]ref{p.table(patents), p.index()}, p.sets(topicSets, cfg.Sets)...)
			all = append(all, p.sets(qrelSets, golds)...)
			for _, name := range cfg.Pool {
				all = append(all, p.table("pools/"+name))
			}
			return all
		},
		writes: func() []ref { return []ref{p.table("pairs/" + cfg.Pairs)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return sampler.Run(ctx, cfg)
		},
	}
}
