// Package demo runs the pipeline on a small synthetic collection, from nothing, in one command.
//
// In: a seed. Out: a workspace with every table that the stages make, and in it the folder collection/ that they were
// made from. Promised: each stage is called as its own command calls it, so what the demo shows is what a user gets;
// running it again adds no row.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"dssdnet/index/build"
	"dssdnet/index/search"
	"dssdnet/ingest/consume"
	"dssdnet/ingest/merge"
	"dssdnet/ingest/publish"
	"dssdnet/ingest/qrels"
	"dssdnet/ingest/synth"
	"dssdnet/ingest/topics"
	"dssdnet/internal/cluster"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/sampler"
)

// Config of a demo.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Cluster   cluster.Config    `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Patents int   `yaml:"patents" help:"patents of the synthetic collection"`
	Topics  int   `yaml:"topics" help:"topics of the synthetic collection"`
	Seed    int64 `yaml:"seed" help:"seed of the synthetic collection"`
}

// Default is a collection of a few thousand documents.
func Default() Config { return Config{Patents: 2000, Topics: 100, Seed: 1} }

// Result says what each stage did.
type Result struct {
	Steps []Step `json:"steps"`
}

// Step is one stage of the demo.
type Step struct {
	Stage   string  `json:"stage"`
	Did     string  `json:"did"`
	Seconds float64 `json:"seconds"`
}

// hazardShare gives the demo some of the defects of real files: repaired ones, and dead letters.
const hazardShare = 0.02

// poolName names the demo's pool and its pairs.
const poolName = "bm25"

// splits of a synthetic collection's topics.
var splits = []string{"train", "valid", "test"}

// Run makes the collection and takes it through the stages.
func Run(ctx context.Context, c Config) (Result, error) {
	collection := filepath.Join(string(c.Workspace), "collection")
	d := demo{Config: c}
	d.step("synth", func() (string, error) {
		cfg := synth.Default()
		cfg.Out, cfg.Log, cfg.Progress = collection, c.Log, c.Progress
		cfg.Patents, cfg.Topics, cfg.Seed, cfg.HazardShare = c.Patents, c.Topics, c.Seed, hazardShare
		r, err := synth.Run(ctx, cfg)
		return fmt.Sprintf("%d documents, %s of XML", r.Files, settings.Bytes(r.Bytes>>20<<20)), err
	})
	d.step("publish", func() (string, error) {
		cfg := publish.Default()
		cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = c.Workspace, c.Cluster, c.Log, c.Progress
		cfg.Paths = []string{filepath.Join(collection, "collection")}
		r, err := publish.Run(ctx, cfg)
		return fmt.Sprintf("%d documents to topic %s, %d partitions", r.Documents, r.Topic, r.Partitions), err
	})
	d.step("consume", func() (string, error) {
		cfg := consume.Default()
		cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress, cfg.UntilEnd = c.Workspace, c.Cluster, c.Log, c.Progress, true
		r, err := consume.Run(ctx, cfg)
		return fmt.Sprintf("%d rows to documents/, %d unchanged, %d dead letters", r.Documents, r.Unchanged, r.DeadLetters), err
	})
	d.step("merge", func() (string, error) {
		cfg := merge.Default()
		cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
		r, err := merge.Run(ctx, cfg)
		return fmt.Sprintf("%d documents to %d rows of patents/", r.Documents, r.Patents), err
	})
	for _, split := range splits {
		d.step("topics "+split, func() (string, error) {
			cfg := topics.Default()
			cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
			cfg.Path, cfg.Set, cfg.Split = filepath.Join(collection, "topics-"+split), split, split
			r, err := topics.Run(ctx, cfg)
			return fmt.Sprintf("%d topics", r.Topics), err
		})
		d.step("qrels "+split, func() (string, error) {
			cfg := qrels.Default()
			cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
			cfg.File, cfg.Set = filepath.Join(collection, "qrels-"+split+".txt"), split
			r, err := qrels.Run(ctx, cfg)
			return fmt.Sprintf("%d judgements of %d topics", r.RowsWritten, r.Topics), err
		})
	}
	d.step("index build", func() (string, error) {
		cfg := build.Default()
		cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
		r, err := build.Run(ctx, cfg)
		return fmt.Sprintf("%d patents in index %s", r.Patents, r.Build), err
	})
	d.step("index search", func() (string, error) {
		cfg := search.Default()
		cfg.Workspace, cfg.Log, cfg.Progress, cfg.Pool = c.Workspace, c.Log, c.Progress, poolName
		r, err := search.Run(ctx, cfg)
		if err != nil || r.Quality == nil {
			return "", err
		}
		last := r.Quality.At[len(r.Quality.At)-1]
		return fmt.Sprintf("%d candidates of %d topics, recall of golds %.3f", r.Rows, r.Topics, last.Recall), nil
	})
	d.step("sample", func() (string, error) {
		cfg := sampler.Default()
		cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
		cfg.Pairs, cfg.Pool, cfg.ValidShare = poolName, []string{poolName}, 0 // the collection has validation topics
		r, err := sampler.Run(ctx, cfg)
		return fmt.Sprintf("%d training and %d validation pairs, %d test groups",
			r.Counts.Train.Positives+r.Counts.Train.Negatives, r.Counts.Valid.Positives+r.Counts.Valid.Negatives, r.Counts.Test.Groups), err
	})
	return d.result, d.err
}

// demo runs steps until one fails.
type demo struct {
	Config
	result Result
	err    error
}

func (d *demo) step(stage string, run func() (string, error)) {
	if d.err != nil {
		return
	}
	started := time.Now()
	did, err := run()
	if err != nil {
		d.err = fmt.Errorf("%s: %w", stage, err)
		return
	}
	d.result.Steps = append(d.result.Steps, Step{stage, did, time.Since(started).Seconds()})
}
