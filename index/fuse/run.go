package fuse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"dssdnet/index"
	"dssdnet/index/pool"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Result of one run.
type Result struct {
	Skipped bool          `json:"skipped"` // nothing had changed; the rest is of the run that wrote the pool
	Pool    string        `json:"pool"`
	Topics  int64         `json:"topics"`
	Rows    int64         `json:"rows"`
	Empty   int64         `json:"empty"`             // topics without a candidate in any pool
	Quality *pool.Quality `json:"quality,omitempty"` // nil when no topic has a gold
	Seconds float64       `json:"seconds"`
}

const (
	stage = "index-fuse"
	unit  = progress.Unit("topics")
)

// Run fuses the pools.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
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
	topics  []pool.Query // of all pools, those of the first pool first
	readers []*pool.Reader
}

// bring makes the pool one of the pools there are.
func (r *run) bring(ctx context.Context) (Result, error) {
	made := manifest.Manifest{Stage: stage, Name: r.Pool, Schema: schemas.Pools.Tag(), Started: r.started}
	var err error
	if made.Inputs, err = r.inputs(); err != nil {
		return Result{}, err
	}
	if made.Config, err = json.Marshal(map[string]any{"pools": r.Pools, "k": r.K, "hits": r.Hits, "qrels": r.Qrels}); err != nil {
		return Result{}, err
	}
	var result Result
	if !r.Force && pool.Repeats(r.dir, made, &result) {
		result.Skipped = true
		return result, nil
	}
	result, err = r.draw(ctx, &made)
	if err != nil {
		return result, err
	}
	if err := made.Write(r.Workspace.Manifests()); err != nil {
		return result, fmt.Errorf("manifest of pool %s: %w", r.Pool, err)
	}
	return result, nil
}

func (r *run) inputs() ([]manifest.Input, error) {
	var paths []string
	for _, name := range r.Pools {
		files, err := workspace.TableFiles(pool.Dir(r.Workspace, name))
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fault.New(fault.Rejected, "there is no pool %s: make it with dssdnet index search --pool %s", name, name)
		}
		paths = append(paths, files...)
	}
	qrels, err := workspace.TableFiles(r.Workspace.Table(schemas.Qrels.Name))
	if err != nil {
		return nil, err
	}
	return manifest.HashInputs(append(paths, qrels...))
}

// draw fuses and writes the pool, and completes the manifest.
func (r *run) draw(ctx context.Context, m *manifest.Manifest) (result Result, err error) {
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.open(); err != nil {
		return result, err
	}
	gauge, err := newGauge(ctx, r.Config)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, gauge.close()) }()
	w, err := pool.NewWriter(r.dir)
	if err != nil {
		return result, err
	}
	defer w.Discard()

	result.Pool = r.Pool
	task := progress.Or(r.Progress).Start("index fuse", int64(len(r.topics)), unit)
	defer task.Done()
	for _, topic := range r.topics {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		fused, err := r.topic(topic.TopicID)
		if err != nil {
			return result, err
		}
		line := pool.Query{TopicID: topic.TopicID, Hits: len(fused), Subclasses: topic.Subclasses}
		if err := w.Add(line, fused); err != nil {
			return result, err
		}
		gauge.add(line, fused)
		result.Topics++
		result.Rows += int64(len(fused))
		if len(fused) == 0 {
			result.Empty++
		}
		task.Add(1)
	}
	result.Quality = gauge.quality()
	result.Seconds = time.Since(r.started).Seconds()
	if m.Result, err = json.Marshal(result); err != nil {
		return result, err
	}
	m.Finished = time.Now()
	return result, w.Commit(*m)
}

// open opens the pools and collects their topics.
func (r *run) open() error {
	seen := make(map[string]bool)
	for _, name := range r.Pools {
		dir := pool.Dir(r.Workspace, name)
		reader, err := pool.Open(dir)
		if err != nil {
			return err
		}
		r.readers = append(r.readers, reader)
		err = pool.EachQuery(dir, func(q pool.Query) error {
			if !seen[q.TopicID] {
				seen[q.TopicID] = true
				r.topics = append(r.topics, q)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("topics of pool %s: %w", name, err)
		}
	}
	return nil
}

func (r *run) topic(id string) ([]schemas.Pool, error) {
	pools := make([][]schemas.Pool, len(r.readers))
	for i, reader := range r.readers {
		var err error
		if pools[i], err = reader.Topic(id); err != nil {
			return nil, err
		}
	}
	return fuse(id, pools, r.K, r.Hits), nil
}

func (r *run) close() error {
	var err error
	for _, reader := range r.readers {
		err = errors.Join(err, reader.Close())
	}
	return err
}

// gauge measures the fused pool, if there are qrels.
type gauge struct {
	ix    *index.Index
	meter *pool.Meter
}

func newGauge(ctx context.Context, c Config) (*gauge, error) {
	golds, err := pool.LoadGolds(c.Workspace.Table(schemas.Qrels.Name), c.Qrels)
	if err != nil || len(golds) == 0 {
		return &gauge{}, err
	}
	dir, err := index.Current(c.Workspace.Table("index"))
	if err != nil {
		return nil, err
	}
	ix, err := index.Open(ctx, dir, index.Options{})
	if err != nil {
		return nil, err
	}
	return &gauge{ix, pool.NewMeter(golds, ix)}, nil
}

func (g *gauge) add(topic pool.Query, fused []schemas.Pool) {
	if g.meter != nil {
		g.meter.Add(topic, fused, nil)
	}
}

func (g *gauge) quality() *pool.Quality {
	if g.meter == nil {
		return nil
	}
	return g.meter.Quality()
}

func (g *gauge) close() error {
	if g.ix == nil {
		return nil
	}
	return g.ix.Close()
}
