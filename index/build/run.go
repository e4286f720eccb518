package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/index"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// Result of one run.
type Result struct {
	Skipped bool   `json:"skipped"` // nothing had changed: Build is the current build as it was
	Build   string `json:"build"`
	// Increment says that the build shares segments with the one before. Why tells why it does not.
	Increment bool   `json:"increment"`
	Why       string `json:"why,omitempty"`

	Patents   int64             `json:"patents"`
	Added     int64             `json:"added"`
	Changed   int64             `json:"changed"`
	Deleted   int64             `json:"deleted"`
	Unchanged int64             `json:"unchanged"`
	Fields    []index.FieldInfo `json:"fields"`
	Segments  int               `json:"segments"`
	Bytes     int64             `json:"bytes"`
	Seconds   float64           `json:"seconds"`
}

const stage = "index-build"

// Run brings the index up to date with patents/.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	started := time.Now()
	root := c.Workspace.Table("index")
	lock, err := durable.TryLock(filepath.Join(root, ".lock"), fmt.Sprintf("process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return Result{}, fmt.Errorf("another index build is at work on %s (%s): wait for it to end", root, durable.LockNote(filepath.Join(root, ".lock")))
	}
	if err != nil {
		return Result{}, fmt.Errorf("lock %s: %w", root, err)
	}
	defer func() { _ = lock.Unlock() }()
	if err := durable.Sweep(root); err != nil {
		return Result{}, fmt.Errorf("clear up %s: %w", root, err)
	}
	r := &run{Config: c, root: root, started: started}
	if r.fields, err = index.ParseFields(c.Fields); err != nil {
		return Result{}, err
	}
	result, err := r.bring(ctx)
	if err != nil {
		return result, err
	}
	result.Seconds = time.Since(started).Seconds()
	if !result.Skipped {
		err = r.record(result)
	}
	return result, err
}

// run is the state of one run.
type run struct {
	Config
	root    string
	started time.Time
	fields  []index.FieldSpec
	source  *source
}

// bring makes the current build one of the patents there are.
func (r *run) bring(ctx context.Context) (result Result, err error) {
	dir := r.Workspace.Table(schemas.Patents.Name)
	if r.source, err = openSource(dir, r.columns()); err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, r.source.close()) }()
	if r.source.rows == 0 {
		return Result{}, fault.New(fault.Rejected, "%s has no patent: nothing to index: run dssdnet ingest merge first", dir)
	}
	current, why := r.base()
	if why == "" && slices.EqualFunc(current.Inputs, r.source.inputs(), index.Input.Same) {
		return resultOf(current, Result{Skipped: true, Unchanged: current.Patents}), nil
	}
	if why == "" {
		result, why, err = r.increment(ctx, current)
		if err != nil || why == "" {
			return result, err
		}
	}
	return r.anew(ctx, why)
}

// columns are the columns of patents/ that the fields need, each once.
func (r *run) columns() []string {
	var columns []string
	for _, name := range index.TextColumns() {
		if slices.ContainsFunc(r.fields, func(f index.FieldSpec) bool { return slices.Contains(f.Columns, name) }) {
			columns = append(columns, name)
		}
	}
	return columns
}

// base returns the manifest of the current build, or why no increment can stand on it.
func (r *run) base() (m index.Manifest, why string) {
	if r.Force {
		return m, "it was forced"
	}
	dir, err := index.Current(r.root)
	if err != nil {
		return m, "there was no index"
	}
	if m, err = index.ReadManifest(dir); err != nil {
		return m, err.Error()
	}
	var specs []string
	for _, field := range r.fields {
		specs = append(specs, field.String())
	}
	switch {
	case m.Analyzer != r.Analyzer:
		return m, fmt.Sprintf("the analyzer was %s", m.Analyzer)
	case !slices.Equal(m.Fields, specs):
		return m, fmt.Sprintf("the fields were %v", m.Fields)
	}
	return m, ""
}

// increment puts what is new on top of the current build, or says why it had better be built from nothing.
func (r *run) increment(ctx context.Context, m index.Manifest) (result Result, why string, err error) {
	dir := filepath.Join(r.root, m.Build)
	old, err := index.Open(ctx, dir, index.Options{Contents: true, CacheBytes: cacheBytes})
	if fault.KindOf(err) == fault.Rejected {
		r.Log.Warn("the current index cannot be built upon", "error", err)
		return Result{}, err.Error(), nil
	}
	if err != nil {
		return Result{}, "", err
	}
	defer func() { err = errors.Join(err, old.Close()) }()

	task := progress.Or(r.Progress).Start("index compare", r.source.rows, progress.Patents)
	c, err := compare(ctx, r.source, old, task)
	task.Done()
	if err != nil {
		return Result{}, "", err
	}
	share := m.DeltaShare + float64(c.edits())/float64(max(1, m.Patents))
	switch {
	case c.mistaken:
		return Result{}, "the build lacked patents of the files it was made of", nil
	case c.edits() == 0:
		result, err = r.adopt(dir, m)
		return result, "", err
	case share > r.MaxDeltaShare:
		return Result{}, fmt.Sprintf("increments would make up %.0f %%, more than --max-delta-share", 100*share), nil
	case m.Deltas >= r.MaxDeltas:
		return Result{}, fmt.Sprintf("there were %d increments, --max-deltas", m.Deltas), nil
	}
	b := building{run: r, files: c.files, total: c.added + c.changed, worth: c.news, base: c}
	made, err := b.make(ctx, index.Manifest{Deltas: m.Deltas + 1, DeltaShare: share})
	return resultOf(made, Result{
		Increment: true, Added: c.added, Changed: c.changed, Deleted: c.deleted, Unchanged: c.unchanged,
	}), "", err
}

// anew builds the index from nothing.
func (r *run) anew(ctx context.Context, why string) (Result, error) {
	b := building{run: r, files: r.source.files, total: r.source.rows, worth: func(string) bool { return true }}
	m, err := b.make(ctx, index.Manifest{})
	return resultOf(m, Result{Why: why, Added: m.Patents}), err
}

// adopt notes that the build holds just what the files have now, so that the next run need not compare them.
func (r *run) adopt(dir string, m index.Manifest) (Result, error) {
	m.Inputs = r.source.inputs()
	if err := m.Write(dir); err != nil {
		return Result{}, fmt.Errorf("update the manifest of %s: %w", dir, err)
	}
	return resultOf(m, Result{Skipped: true, Unchanged: m.Patents}), nil
}

func resultOf(m index.Manifest, r Result) Result {
	r.Build, r.Patents, r.Fields, r.Segments = m.Build, m.Patents, m.Stats, m.Segments
	for _, file := range m.Files {
		r.Bytes += file.Size
	}
	return r
}

// record writes the stage's manifest.
func (r *run) record(result Result) error {
	config, err := json.Marshal(map[string]any{"analyzer": r.Analyzer, "fields": r.Fields})
	if err != nil {
		return err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return err
	}
	var inputs []manifest.Input
	for _, sf := range r.source.files {
		inputs = append(inputs, manifest.Input{Path: sf.path, Size: sf.Size})
	}
	return manifest.Manifest{
		Stage: stage, Schema: fmt.Sprintf("index/%d", index.Format), Inputs: inputs, Config: config, Result: data,
		Started: r.started, Finished: time.Now(),
	}.Write(r.Workspace.Manifests())
}
