package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
)

// StatusResult is what a workspace holds.
type StatusResult struct {
	Workspace string        `json:"workspace"`
	Held      string        `json:"held,omitempty"` // what the run says that has it now
	Last      *LastResult   `json:"last,omitempty"` // run of a pipeline
	Tables    []TableStatus `json:"tables"`
	Warnings  []string      `json:"warnings,omitempty"`
}

// LastResult is the last run of a pipeline in short.
type LastResult struct {
	Pipeline string    `json:"pipeline"`
	Status   string    `json:"status"`
	Step     string    `json:"step,omitempty"` // that failed, or was under way
	Error    string    `json:"error,omitempty"`
	Started  time.Time `json:"started"`
	Seconds  float64   `json:"seconds"`
}

// TableStatus is one table of a workspace.
type TableStatus struct {
	Name     string    `json:"name"`
	Rows     *int64    `json:"rows,omitempty"` // of Parquet tables
	Files    int       `json:"files"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"` // of its newest file

	// The rest is of tables that a pipeline has made.
	Pipeline   string     `json:"pipeline,omitempty"`
	Step       string     `json:"step,omitempty"`
	Stage      string     `json:"stage,omitempty"`
	Tool       string     `json:"tool,omitempty"`
	ConfigHash string     `json:"config_hash,omitempty"` // of arguments and settings
	Made       *time.Time `json:"made,omitempty"`
	// Stale says what has changed since. Topics of Kafka are not asked.
	Stale string `json:"stale,omitempty"`
}

// Status says what a workspace holds, how old it is and what made it. It writes nothing.
func Status(ctx context.Context, ws workspace.Dir) (StatusResult, error) {
	result := StatusResult{Workspace: string(ws), Tables: []TableStatus{}}
	if _, err := os.Stat(string(ws)); errors.Is(err, fs.ErrNotExist) {
		return result, fault.New(fault.Usage, "there is no workspace %s", ws)
	}
	var err error
	if result.Warnings, err = inspect(ws, time.Now()); err != nil {
		return result, err
	}
	if holds(ws) {
		result.Held = holder(ws)
	}
	if result.Last, err = lastResult(ws); err != nil {
		return result, err
	}
	records, err := allRecords(ws)
	if err != nil {
		return result, err
	}
	names, err := tableNames(ws)
	if err != nil {
		return result, err
	}
	e := &eyes{}
	for _, name := range names {
		table, err := tableStatus(ctx, e, ws, name, records)
		if err != nil {
			return result, err
		}
		if table.Files > 0 {
			result.Tables = append(result.Tables, table)
		}
	}
	return result, nil
}

func lastResult(ws workspace.Dir) (*LastResult, error) {
	last, err := LastRun(ws)
	if last == nil || err != nil {
		return nil, err
	}
	short := &LastResult{Pipeline: last.Pipeline, Status: last.Status, Error: last.Error, Started: last.Started, Seconds: last.Seconds}
	for _, s := range last.Steps {
		if s.Status == Failed || s.Status == Running {
			short.Step = s.Step
		}
	}
	return short, nil
}

// allRecords are those of all steps, the newest first.
func allRecords(ws workspace.Dir) ([]*record, error) {
	paths, err := filepath.Glob(filepath.Join(stepsDir(ws), "*.json"))
	if err != nil {
		return nil, err
	}
	var all []*record
	for _, path := range paths {
		r, err := loadRecord(path)
		if err != nil {
			return nil, err
		}
		if r != nil {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b *record) int { return b.Finished.Compare(a.Finished) })
	return all, nil
}

// tableNames are the tables that the workspace has folders or files for.
func tableNames(ws workspace.Dir) ([]string, error) {
	names := []string{"collection", documents, patents}
	for _, folder := range []string{topicSets, qrelSets} {
		files, err := workspace.TableFiles(ws.Table(folder))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			names = append(names, folder+"/"+strings.TrimSuffix(filepath.Base(file), ".parquet"))
		}
	}
	names = append(names, "index")
	for _, folder := range []string{"pools", "pairs", "checkpoints", "runs", "reports"} {
		entries, err := os.ReadDir(ws.Table(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			name, isRun := strings.CutSuffix(e.Name(), runEnding)
			if strings.HasPrefix(name, ".") || e.IsDir() == isRun {
				continue
			}
			names = append(names, folder+"/"+name)
		}
	}
	return append(names, models), nil
}

// refOf is the table of a name.
func refOf(p place, name string) ref {
	folder, base, _ := strings.Cut(name, "/")
	switch {
	case folder == "runs":
		return p.run(base)
	case name == models:
		return p.models()
	case name == "index":
		return p.index()
	case base != "" && (folder == topicSets || folder == qrelSets):
		return p.sets(folder, []string{base})[0]
	}
	return p.table(name)
}

func tableStatus(ctx context.Context, e *eyes, ws workspace.Dir, name string, records []*record) (TableStatus, error) {
	t := TableStatus{Name: name}
	r := refOf(place{ws}, name)
	for _, path := range r.paths {
		err := walk(path, nil, func(f found) error {
			t.Files++
			t.Bytes += f.size
			if at := time.Unix(0, f.mtime); at.After(t.Modified) {
				t.Modified = at
			}
			return ctx.Err()
		})
		if err != nil {
			return t, fmt.Errorf("look at %s: %w", name, err)
		}
	}
	var damage error
	t.Rows, damage = rowsOf(r)
	i := slices.IndexFunc(records, func(rec *record) bool {
		return slices.ContainsFunc(rec.Outputs, func(d Data) bool { return d.Name == name })
	})
	if i < 0 {
		if damage != nil {
			t.Stale = damage.Error()
		}
		return t, nil
	}
	rec := records[i]
	t.Pipeline, t.Step, t.Stage, t.Tool, t.Made, t.ConfigHash = rec.Pipeline, rec.Step, rec.Stage, rec.Tool, &rec.Finished, rec.configHash()
	var err error
	if t.Stale, err = stale(ctx, e, ws, rec, name); damage != nil && err == nil {
		t.Stale = strings.TrimSuffix(damage.Error()+"; "+t.Stale, "; ")
	}
	return t, err
}

// stale says what has changed since a record was written.
func stale(ctx context.Context, e *eyes, ws workspace.Dir, rec *record, output string) (string, error) {
	p := place{ws}
	var all []string
	look := func(d Data, compare func([]Data, Data, ref) string, among []Data) error {
		if strings.HasPrefix(d.Name, "kafka/") {
			return nil
		}
		r := refOf(p, d.Name)
		if filepath.IsAbs(d.Name) {
			r = p.file(d.Name)
		}
		if d.Name == models {
			return nil // which model is current changes by itself
		}
		if strings.HasPrefix(d.Name, "reports/") {
			return nil // pages are read by people
		}
		now, err := e.look(ctx, r)
		if text := compare(among, now, r); err == nil && text != "" {
			all = append(all, text)
		}
		return err
	}
	for _, d := range rec.Inputs {
		if err := look(d, changed, rec.Inputs); err != nil {
			return "", err
		}
	}
	for _, d := range rec.Outputs {
		if d.Name != output {
			continue
		}
		if err := look(d, lost, rec.Outputs); err != nil {
			return "", err
		}
	}
	if rec.Tool != manifest.Tool {
		all = append(all, fmt.Sprintf("dssdnet is %s now", manifest.Tool))
	}
	return strings.Join(all, "; "), nil
}

// Age is how long ago the table was written; 0 by a clock that has been set back since.
func (t TableStatus) Age(now time.Time) time.Duration {
	return max(0, now.Sub(cmp.Or(deref(t.Made), t.Modified)))
}

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
