package pipelines

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/eval/rerank"
	"dssdnet/internal/durable"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines/promote"
	"dssdnet/train"
)

func bindTrain(p place) *binding {
	cfg := train.Default()
	cfg.Resume, cfg.Replace = true, true // a step that was killed goes on, one with other pairs begins anew
	b := &binding{
		section: settings.New("train", &cfg), take: noArgs,
		check:  validated(&cfg),
		writes: func() []ref { return []ref{p.table("checkpoints/" + cfg.Run)} },
	}
	b.reads = func() []ref {
		all := []ref{p.table("pairs/" + cfg.Pairs)}
		if s, err := os.Stat(cfg.Encoder); cfg.Encoder != train.Tiny && err == nil && s.IsDir() {
			all = append(all, p.file(cfg.Encoder))
		}
		switch cfg.Init {
		case "":
		case workspace.Current:
			all = append(all, optional(p.models())...)
		default:
			all = append(all, p.file(cfg.Init))
		}
		return all
	}
	b.run = func(ctx context.Context, w world) (any, error) {
		cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
		return train.Run(ctx, cfg)
	}
	b.aside = func(w world) error { return setAside(w, cfg.Run) }
	return b
}

// setAside moves a training out of the way of one that is forced. One is kept.
func setAside(w world, run string) error {
	dir := w.workspace.Table("checkpoints")
	from, to := filepath.Join(dir, run), filepath.Join(dir, ".previous", run)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("remove the training before the last: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("move the training before this one to %s: %w", to, err)
	}
	w.log.Info("the training that stood here is kept aside", "run", run, "folder", to)
	return errors.Join(durable.SyncDir(dir), durable.SyncDir(filepath.Dir(to)))
}

func bindRerank(p place) *binding {
	cfg := rerank.Default()
	return &binding{
		section: settings.New("rerank", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: func() []ref {
			if cfg.Checkpoint == workspace.Current {
				return []ref{p.table("pairs/" + cfg.Pairs), p.models()}
			}
			return []ref{p.table("pairs/" + cfg.Pairs), p.file(cfg.Checkpoint)}
		},
		writes: func() []ref { return []ref{p.run(cfg.Run)} },
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			return rerank.Run(ctx, cfg)
		},
	}
}

func bindPromote(p place) *binding {
	cfg := promote.Default()
	training := func() string {
		if cfg.Training != "" {
			return cfg.Training
		}
		return cfg.Run
	}
	report := func() string {
		if cfg.Report != "" {
			return cfg.Report
		}
		return cfg.Set
	}
	return &binding{
		section: settings.New("promote", &cfg), take: noArgs,
		check: validated(&cfg),
		reads: func() []ref {
			all := append(p.sets(qrelSets, []string{cfg.Set}), p.run(cfg.Run), p.table("checkpoints/"+training()+"/best"))
			if cfg.Pool != "" {
				all = append(all, p.table("pools/"+cfg.Pool))
			}
			return append(all, optional(p.models(), p.table(topicSets), p.table(patents))...)
		},
		writes: func() []ref { // the run of the current model too, once there is one
			all := []ref{p.models(), p.gate(report())}
			if cfg.Baseline != "" {
				all = append(all, p.run(cfg.Baseline))
			}
			return all
		},
		run: func(ctx context.Context, w world) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = w.workspace, w.log, w.progress
			cfg.Pipeline, cfg.PipelineRun = w.pipeline, w.runID
			return promote.Run(ctx, cfg)
		},
	}
}
