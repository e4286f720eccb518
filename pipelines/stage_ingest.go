package pipelines

import (
	"context"
	"time"

	"dssdnet/ingest/consume"
	"dssdnet/ingest/merge"
	"dssdnet/ingest/publish"
	"dssdnet/ingest/qrels"
	"dssdnet/ingest/synth"
	"dssdnet/ingest/topics"
	"dssdnet/internal/fault"
	"dssdnet/internal/settings"
	"dssdnet/schemas"
)

func bindSynth(p place) *binding {
	cfg := synth.Default()
	return &binding{
		section: settings.New("synth", &cfg), take: func(args []string) { cfg.Out = args[0] }, least: 1, most: 1,
		check: validated(&cfg),
		reads: refs(), writes: func() []ref { return []ref{p.file(cfg.Out)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Log, cfg.Progress = w.log, w.progress
			return synth.Run(ctx, cfg)
		},
	}
}

func bindPublish(p place) *binding {
	cfg := publish.Default()
	b := &binding{
		section: settings.New("publish", &cfg), take: func(args []string) { cfg.Paths = args }, least: 1, most: many,
		schema: "records/1",
		reads: func() []ref {
			var all []ref
			for _, path := range cfg.Paths {
				all = append(all, p.file(path))
			}
			return all
		},
		writes: func() []ref { return []ref{p.topic(cfg.Topic)} },
	}
	b.check = func() error {
		b.topic = cfg.Topic
		cfg.Workspace, cfg.Cluster = p.ws, someKafka
		return cfg.Validate()
	}
	b.run = func(ctx context.Context, w world) (any, error) {
		kafka, err := w.cluster(ctx)
		if err != nil {
			return nil, err
		}
		cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = w.workspace, kafka, w.log, w.progress
		return publish.Run(ctx, cfg)
	}
	return b
}

// many is more arguments than anybody gives.
const many = 1 << 20

func bindConsume(p place) *binding {
	cfg := consume.Default()
	cfg.UntilEnd = true // a step has an end
	b := &binding{
		section: settings.New("consume", &cfg), take: noArgs, schema: schemas.Documents.Tag(),
		reads:  func() []ref { return []ref{p.topic(cfg.Topic)} },
		writes: refs(p.table(documents)),
	}
	b.check = func() error {
		if !cfg.UntilEnd {
			return fault.New(fault.Usage, "until-end is false: a step of a pipeline must come to an end")
		}
		b.topic = cfg.Topic
		cfg.Workspace, cfg.Cluster = p.ws, someKafka
		return cfg.Validate()
	}
	config := func(ctx context.Context, w world) (consume.Config, error) {
		kafka, err := w.cluster(ctx)
		c := cfg
		c.Workspace, c.Cluster, c.Log, c.Progress = w.workspace, kafka, w.log, w.progress
		return c, err
	}
	b.run = func(ctx context.Context, w world) (any, error) {
		c, err := config(ctx, w)
		if err != nil {
			return nil, err
		}
		return consume.Run(ctx, c)
	}
	b.follow = func(ctx context.Context, w world) error {
		c, err := config(ctx, w)
		if err != nil {
			return err
		}
		// Files soon, so that a small spool is soon empty again.
		c.UntilEnd, c.FileAge = false, min(c.FileAge, followFileAge)
		_, err = consume.Run(ctx, c)
		return err
	}
	return b
}

// followFileAge is the age of a file when a consumer beside a publisher publishes it at the latest.
const followFileAge = 10 * time.Second

func bindMerge(p place) *binding {
	cfg := merge.Default()
	return &binding{
		section: settings.New("merge", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: refs(p.table(documents)), writes: refs(p.table(patents)),
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return merge.Run(ctx, cfg)
		},
	}
}

func bindTopics(p place) *binding {
	cfg := topics.Default()
	return &binding{
		section: settings.New("topics", &cfg), take: func(args []string) { cfg.Path = args[0] }, least: 1, most: 1,
		check:  validated(&cfg),
		reads:  func() []ref { return []ref{p.file(cfg.Path)} },
		writes: func() []ref { return p.sets(topicSets, []string{cfg.Set}) },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return topics.Run(ctx, cfg)
		},
	}
}

func bindQrels(p place) *binding {
	cfg := qrels.Default()
	return &binding{
		section: settings.New("qrels", &cfg), take: func(args []string) { cfg.File = args[0] }, least: 1, most: 1,
		check:  validated(&cfg),
		reads:  func() []ref { return []ref{p.file(cfg.File)} },
		writes: func() []ref { return p.sets(qrelSets, []string{cfg.Set}) },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return qrels.Run(ctx, cfg)
		},
	}
}
