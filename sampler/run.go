package sampler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const stage = "sample"

// Result of one run.
type Result struct {
	Skipped  bool     `json:"skipped"` // nothing had changed; the counts are those of the run that wrote the files
	Pairs    string   `json:"pairs"`
	Counts   Counts   `json:"counts"`
	Warnings []string `json:"warnings"`
	Checks   []Check  `json:"checks"`
	Files    []File   `json:"files"`
	Bytes    int64    `json:"bytes"`

	Seconds        float64 `json:"seconds"`
	ReadingSeconds float64 `json:"reading_seconds"` // tables, pools and texts
	DrawingSeconds float64 `json:"drawing_seconds"`
	WritingSeconds float64 `json:"writing_seconds"` // files, syncs and hashes
	CheckSeconds   float64 `json:"check_seconds"`   // reading every file again
}

// File is a file of pairs/<name>/.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Run writes pairs/<name>/ from patents/, topics/, qrels/ and pools/.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	lockPath := filepath.Join(c.Workspace.Manifests(), stage+"."+c.Pairs+".lock")
	lock, err := durable.TryLock(lockPath, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.DateTime)))
	if errors.Is(err, durable.ErrLocked) {
		return Result{}, fmt.Errorf("another run is writing pairs %s (%s): wait for it", c.Pairs, durable.LockNote(lockPath))
	}
	if err != nil {
		return Result{}, fmt.Errorf("lock pairs %s: %w", c.Pairs, err)
	}
	defer func() { _ = lock.Unlock() }() // it goes with the process at the latest

	j, err := newJob(c)
	if err != nil {
		return Result{}, err
	}
	defer j.close()
	if err := os.RemoveAll(j.temp); err != nil {
		return Result{}, fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	result, err := j.run(ctx)
	if rerr := os.RemoveAll(j.temp); rerr != nil && err == nil {
		err = fmt.Errorf("remove the temporary folder: %w", rerr)
	}
	return result, err
}

// job is one run under way.
type job struct {
	Config
	mix     mix
	started time.Time
	out     string // pairs/<name>
	temp    string // everything unfinished

	patents, topicRows, qrels *source
	poolRows                  []*source

	lib    *library
	store  *textStore
	topics []topic // by topic id
	pools  *pools

	train, valid *dataset
	groups       []int // topics of test that have a pool
	grouped      []bool

	result Result
}

func newJob(c Config) (*job, error) {
	mix, err := parseMix(c.Negatives)
	if err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Progress = progress.Or(c.Progress)
	return &job{
		Config: c, mix: mix, started: time.Now(),
		out:  filepath.Join(c.Workspace.Table(schemas.Pairs.Name), c.Pairs),
		temp: filepath.Join(c.Workspace.Temp(), stage+"."+c.Pairs),
	}, nil
}

func (j *job) run(ctx context.Context) (Result, error) {
	if err := j.open(); err != nil {
		return Result{}, err
	}
	inputs, err := j.inputs()
	if err != nil {
		return Result{}, err
	}
	config, err := j.recorded()
	if err != nil {
		return Result{}, err
	}
	if result, ok := j.unchanged(inputs, config); ok {
		return j.skip(result, inputs, config)
	}
	j.result = Result{Pairs: j.Pairs}
	if err := os.MkdirAll(j.newDir(), 0o755); err != nil {
		return Result{}, err
	}
	for _, step := range []struct {
		run     func(context.Context) error
		seconds *float64
	}{
		{j.read, &j.result.ReadingSeconds},
		{j.draw, &j.result.DrawingSeconds},
		{j.gather, &j.result.ReadingSeconds},
		{func(ctx context.Context) error { return j.write(ctx, inputs) }, &j.result.WritingSeconds},
		{j.check, &j.result.CheckSeconds},
		{func(context.Context) error { return j.publish(inputs, config) }, &j.result.WritingSeconds},
	} {
		begun := time.Now()
		if err := step.run(ctx); err != nil {
			return Result{}, err
		}
		*step.seconds += time.Since(begun).Seconds()
	}
	j.result.Seconds = time.Since(j.started).Seconds()
	return j.result, j.record(inputs, config)
}

// newDir is the pairs/<name> in the making.
func (j *job) newDir() string { return filepath.Join(j.temp, j.Pairs) }

func (j *job) close() {
	for _, s := range j.sources() {
		s.close()
	}
	if j.store != nil {
		j.store.close()
	}
	if j.pools != nil {
		j.pools.close()
	}
}

// unchanged returns what stands in pairs/<name>/ when this run would write the same. The manifest beside the files is
// what counts, not the stage's own: a run may be killed between the two.
func (j *job) unchanged(inputs []manifest.Input, config json.RawMessage) (Result, bool) {
	m, err := ReadManifest(j.out)
	old := manifest.Manifest{Tool: m.Tool, Schema: m.Schema, Inputs: m.Inputs, Config: m.Config}
	if j.Force || err != nil || !old.Same(schemas.Pairs.Tag(), inputs, config) {
		return Result{}, false
	}
	r := Result{Pairs: m.Name, Counts: m.Counts, Warnings: m.Warnings, Checks: m.Checks, Files: m.Files}
	for _, f := range m.Files {
		if info, err := os.Stat(filepath.Join(j.out, f.Name)); err != nil || info.Size() != f.Size {
			return Result{}, false
		}
		r.Bytes += f.Size
	}
	return r, true
}

// skip returns the result of a run that has nothing to do. It writes the stage's manifest where it is missing.
func (j *job) skip(r Result, inputs []manifest.Input, config json.RawMessage) (Result, error) {
	j.result = r
	latest, err := manifest.Load(j.Workspace.Manifests(), stage, j.Pairs)
	if err != nil || !latest.Same(schemas.Pairs.Tag(), inputs, config) {
		if err := j.record(inputs, config); err != nil {
			return Result{}, err
		}
	}
	j.result.Skipped = true
	return j.result, nil
}

func (j *job) record(inputs []manifest.Input, config json.RawMessage) error {
	data, err := json.Marshal(j.result)
	if err != nil {
		return err
	}
	return manifest.Manifest{
		Stage: stage, Name: j.Pairs, Schema: schemas.Pairs.Tag(), Inputs: inputs, Config: config, Result: data,
		Started: j.started, Finished: time.Now(),
	}.Write(j.Workspace.Manifests())
}
