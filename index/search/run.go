package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"dssdnet/index"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Result of one run.
type Result struct {
	Skipped bool   `json:"skipped"` // nothing had changed; the rest is of the run that wrote the pool
	Pool    string `json:"pool"`
	Index   string `json:"index"` // build that was searched

	Topics       int64    `json:"topics"`
	Rows         int64    `json:"rows"`
	EmptyQueries int64    `json:"empty_queries"` // topics without a term that a patent has
	ShortPools   int64    `json:"short_pools"`   // other topics with fewer hits than asked for
	Excluded     int64    `json:"excluded"`      // patents that were no candidates: own and family
	Noted        []string `json:"noted,omitempty"`

	Quality *pool.Quality    `json:"quality,omitempty"` // nil when no topic has a gold
	Cache   index.CacheStats `json:"cache"`

	OpenSeconds   float64 `json:"open_seconds"`
	SearchSeconds float64 `json:"search_seconds"`
	Seconds       float64 `json:"seconds"`
}

const (
	stage = "index-search"
	unit  = progress.Unit("topics")
	// noted is how many topics a Result shows for what limits their pools.
	noted = 20
)

// Run draws the pool of every topic.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	lock, err := pool.Lock(c.Workspace, c.Pool)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = lock.Unlock() }()
	r := &run{Config: c, dir: pool.Dir(c.Workspace, c.Pool), started: time.Now()}
	result, err := r.bring(ctx)
	if err != nil {
		return result, err
	}
	if c.TREC != "" {
		if err := pool.WriteTREC(c.TREC, r.dir, c.Pool); err != nil {
			return result, fmt.Errorf("write the run file %s: %w", c.TREC, err)
		}
	}
	return result, nil
}

// run is the state of one run.
type run struct {
	Config
	dir     string
	started time.Time
}

// bring makes the pool one of the index and topics there are.
func (r *run) bring(ctx context.Context) (Result, error) {
	build, err := index.Current(r.Workspace.Table("index"))
	if err != nil {
		return Result{}, err
	}
	m, err := index.ReadManifest(build)
	if err != nil {
		return Result{}, err
	}
	made := manifest.Manifest{Stage: stage, Name: r.Pool, Schema: schemas.Pools.Tag(), Started: r.started}
	if made.Inputs, err = r.inputs(build, m); err != nil {
		return Result{}, err
	}
	if made.Config, err = json.Marshal(r.decisive()); err != nil {
		return Result{}, err
	}
	if result, ok := r.unchanged(made); ok {
		return result, nil
	}
	result, err := r.draw(ctx, build, &made)
	if err != nil {
		return result, err
	}
	if err := made.Write(r.Workspace.Manifests()); err != nil {
		return result, fmt.Errorf("manifest of pool %s: %w", r.Pool, err)
	}
	return result, nil
}

// inputs are what the pool depends on. The name of the build stands for its content.
func (r *run) inputs(build string, m index.Manifest) ([]manifest.Input, error) {
	topics, err := query.TopicFiles(r.Workspace.Table(schemas.Topics.Name))
	if err != nil {
		return nil, err
	}
	qrels, err := workspace.TableFiles(r.Workspace.Table(schemas.Qrels.Name))
	if err != nil {
		return nil, err
	}
	inputs, err := manifest.HashInputs(append(topics, qrels...))
	if err != nil {
		return nil, err
	}
	return append([]manifest.Input{{Path: build, Size: m.Patents, SHA256: m.Digest}}, inputs...), nil
}

// decisive are the settings that the pool depends on.
func (r *run) decisive() map[string]any {
	return map[string]any{"sets": r.Sets, "qrels": r.Qrels, "query": r.Config.Config}
}

// unchanged returns the result of the run that wrote the pool when this one would write the same.
func (r *run) unchanged(now manifest.Manifest) (result Result, ok bool) {
	if r.Force || !pool.Repeats(r.dir, now, &result) {
		return Result{}, false
	}
	result.Skipped = true
	return result, true
}

// draw searches and writes the pool, and completes the manifest.
func (r *run) draw(ctx context.Context, build string, m *manifest.Manifest) (result Result, err error) {
	golds, err := pool.LoadGolds(r.Workspace.Table(schemas.Qrels.Name), r.Qrels)
	if err != nil {
		return result, err
	}
	ix, err := index.Open(ctx, build, index.Options{CacheBytes: int64(r.CacheBytes)})
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	w, err := pool.NewWriter(r.dir)
	if err != nil {
		return result, err
	}
	defer w.Discard()

	result = Result{Pool: r.Pool, Index: ix.Name(), OpenSeconds: time.Since(r.started).Seconds()}
	meter := pool.NewMeter(golds, ix)
	task := progress.Or(r.Progress).Start("index search", 0, unit)
	defer task.Done()
	topics := func(yield func(*schemas.Topic) error) error {
		return query.EachTopic(ctx, r.Workspace.Table(schemas.Topics.Name), r.Sets, yield)
	}
	err = RankAll(ctx, ix, r.Config.Config, r.workers(), topics, func(ranked *Ranked) error {
		result.count(ranked, r.Hits)
		meter.Add(ranked.Query, ranked.Candidates, ranked.Excluded)
		task.Add(1)
		return w.Add(ranked.Query, ranked.Candidates)
	})
	if err != nil {
		return result, err
	}
	if result.Topics == 0 {
		return result, fault.New(fault.Rejected, "%s has no topic: run dssdnet ingest topics first", r.Workspace.Table(schemas.Topics.Name))
	}
	result.Quality, result.Cache = meter.Quality(), ix.Cache()
	result.Seconds = time.Since(r.started).Seconds()
	result.SearchSeconds = result.Seconds - result.OpenSeconds
	if m.Result, err = json.Marshal(result); err != nil {
		return result, err
	}
	m.Finished = time.Now()
	return result, w.Commit(*m)
}

func (r *Result) count(ranked *Ranked, hits int) {
	q := &ranked.Query
	r.Topics++
	r.Rows += int64(q.Hits)
	r.Excluded += int64(q.Excluded)
	reason := ""
	switch {
	case q.Terms == 0:
		r.EmptyQueries++
		reason = "empty query"
	case q.Hits < hits:
		r.ShortPools++
		reason = fmt.Sprintf("%d of %d hits", q.Hits, hits)
	}
	if reason == "" && len(q.Notes) == 0 || len(r.Noted) == noted {
		return
	}
	r.Noted = append(r.Noted, note(q.TopicID, append([]string{reason}, q.Notes...)))
}

func note(topic string, phrases []string) string {
	text := topic + ":"
	sep := " "
	for _, phrase := range phrases {
		if phrase != "" {
			text += sep + phrase
			sep = ", "
		}
	}
	return text
}
