package topics

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const stage = "topics"

// Run reads the topic set at Path into topics/<set>.parquet.
func Run(ctx context.Context, c Config) (result Result, err error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Progress = progress.Or(c.Progress)
	name := stage + "." + c.Set
	lockPath := filepath.Join(c.Workspace.Manifests(), name+".lock")
	lock, err := durable.TryLock(lockPath, fmt.Sprintf("process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return Result{}, fmt.Errorf("topic set %s is being read already (%s): wait for it", c.Set, durable.LockNote(lockPath))
	}
	if err != nil {
		return Result{}, fmt.Errorf("lock topic set %s: %w", c.Set, err)
	}
	defer func() { _ = lock.Unlock() }()
	temp := filepath.Join(c.Workspace.Temp(), name)
	if err := os.RemoveAll(temp); err != nil {
		return Result{}, fmt.Errorf("remove what an interrupted run left: %w", err)
	}

	started := time.Now()
	s, err := c.openSource(ctx, temp)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	f, err := c.find(s)
	if err != nil {
		return Result{}, err
	}
	input, err := c.digest(ctx, s, f)
	if err != nil {
		return Result{}, err
	}
	config, err := json.Marshal(map[string]any{"split": c.Split, "max-document-bytes": c.MaxDocumentBytes, "max-field-bytes": c.MaxFieldBytes})
	if err != nil {
		return Result{}, err
	}
	out := filepath.Join(c.Workspace.Table(schemas.Topics.Name), c.Set+".parquet")
	made := manifest.Manifest{
		Stage: stage, Name: c.Set, Schema: schemas.Topics.Tag(), Inputs: []manifest.Input{input}, Config: config, Started: started,
	}
	if result, ok := c.unchanged(out, made); ok {
		return result, c.verdict(result)
	}

	rows, result, err := c.read(ctx, s, f)
	if err != nil {
		return Result{}, err
	}
	if len(rows) == 0 {
		return result, fault.New(fault.Rejected, "none of the %d topics of %s can be read%s: nothing was written", result.DeadLetters, c.Path, firstDead(result))
	}
	if err := write(out, rows); err != nil {
		return Result{}, fmt.Errorf("write %s: %w", out, err)
	}
	result.Seconds = time.Since(started).Seconds()
	if err := made.Record(c.Workspace.Manifests(), result); err != nil {
		return Result{}, fmt.Errorf("manifest of topics %s: %w", c.Set, err)
	}
	return result, c.verdict(result)
}

// digest describes the topic file and every document that is going to be read as one input.
func (c Config) digest(ctx context.Context, s *source, f *found) (manifest.Input, error) {
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return manifest.Input{}, err
	}
	h := sha256.New()
	files := make([]string, 0, len(f.entries)+1)
	if f.list != "" {
		files = append(files, f.list)
	}
	for _, e := range f.entries {
		files = append(files, e.file)
	}
	var total int64
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return manifest.Input{}, err
		}
		file, err := s.Open(name)
		if err != nil {
			continue // read reports it; when it can be opened, the digest is another
		}
		fmt.Fprintf(h, "%q\n", name)
		n, err := io.Copy(h, file)
		_ = file.Close()
		if err != nil {
			fmt.Fprintf(h, "%v\n", err)
		}
		total += n
	}
	return manifest.Input{Path: path, Size: total, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// unchanged returns the result of the last run when this one would write the same.
func (c Config) unchanged(out string, now manifest.Manifest) (result Result, ok bool) {
	if c.Force || !now.Repeats(c.Workspace.Manifests(), &result) {
		return Result{}, false
	}
	if _, err := os.Stat(out); err != nil {
		return Result{}, false
	}
	result.Skipped = true
	return result, true
}

// verdict is the error of a run that went through.
func (c Config) verdict(r Result) error {
	share := float64(r.DeadLetters) / float64(max(1, r.DeadLetters+r.Topics))
	if share <= c.MaxDeadShare {
		return nil
	}
	return fault.New(fault.DeadLetters, "%d of %d topics of %s cannot be read, more than --max-dead-share %v allows%s: topics/%s.parquet holds the others",
		r.DeadLetters, r.DeadLetters+r.Topics, c.Path, c.MaxDeadShare, firstDead(r), c.Set)
}

func firstDead(r Result) string {
	if len(r.Dead) == 0 {
		return ""
	}
	return "; first " + r.Dead[0].String()
}

// String names the topic, the place and the reason.
func (d Dead) String() string {
	place := d.File
	if d.Line > 0 {
		place = fmt.Sprintf("%s (line %d of the topic file)", d.File, d.Line)
	}
	if d.Topic == "" {
		return place + ": " + d.Reason
	}
	return fmt.Sprintf("topic %s, %s: %s", d.Topic, place, d.Reason)
}

func write(path string, rows []schemas.Topic) error {
	slices.SortFunc(rows, func(a, b schemas.Topic) int { return cmp.Compare(a.TopicID, b.TopicID) })
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := schemas.NewWriter[schemas.Topic](schemas.Topics, f)
	for i := range rows {
		if _, err := w.Write(rows[i : i+1]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Replace()
}
