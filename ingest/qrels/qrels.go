package qrels

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of one run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent
	File      string            `yaml:"-"` // the qrels file

	Set              string  `yaml:"set" help:"name of the qrels set: 2010-test"`
	MaxGoldsPerTopic int     `yaml:"max-golds-per-topic" help:"relevant patents above which a topic is flagged broken_topic"`
	MaxDeadShare     float64 `yaml:"max-dead-share" help:"share of bad lines above which the exit code is 4"`
	Force            bool    `yaml:"force" help:"read the file again although nothing has changed"`
}

// Default is what the command starts from.
func Default() Config { return Config{MaxGoldsPerTopic: 300, MaxDeadShare: 0.01} }

var setName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.File == "":
		return fault.New(fault.Usage, "no qrels file given")
	case !setName.MatchString(c.Set):
		return fault.New(fault.Usage, "--set %q is not a name of letters, digits, '.', '_' and '-'", c.Set)
	case c.MaxGoldsPerTopic < 1:
		return fault.New(fault.Usage, "--max-golds-per-topic is %d, must be at least 1", c.MaxGoldsPerTopic)
	case c.MaxDeadShare < 0 || c.MaxDeadShare > 1:
		return fault.New(fault.Usage, "--max-dead-share is %v, must be from 0 to 1", c.MaxDeadShare)
	}
	return nil
}

// Result of one run.
type Result struct {
	Skipped bool   `json:"skipped"` // nothing had changed; the counts are those of the run that wrote the file
	Set     string `json:"set"`

	RowsRead         int64           `json:"rows_read"`         // well-formed lines
	BadLines         int64           `json:"bad_lines"`         // lines that are no judgement
	GradeZero        int64           `json:"grade_zero"`        // judged not relevant, left out
	MergedDuplicates int64           `json:"merged_duplicates"` // rows of a (topic, patent) beyond its first
	ImpossibleIDs    int64           `json:"impossible_ids"`    // rows read whose id no office gives
	RowsWritten      int64           `json:"rows_written"`
	Topics           int64           `json:"topics"`
	Grades           map[int32]int64 `json:"grades"`        // rows written by grade
	BrokenTopics     int64           `json:"broken_topics"` // topics with more golds than allowed
	Bad              []BadLine       `json:"bad,omitempty"` // the first bad lines
	Seconds          float64         `json:"seconds"`
}

// BadLine is a line that is no judgement.
type BadLine struct {
	Line   int64  `json:"line"` // from 1
	Reason string `json:"reason"`
}

const (
	stage = "qrels"
	// listed is how many bad lines a Result shows.
	listed = 20
)

// Run reads the file into qrels/<set>.parquet.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	started := time.Now()
	path, err := filepath.Abs(c.File)
	if err != nil {
		return Result{}, fmt.Errorf("qrels file %s: %w", c.File, err)
	}
	input, err := manifest.HashInput(path)
	if err != nil {
		return Result{}, fault.New(fault.Rejected, "qrels file %s cannot be read: %w", c.File, err)
	}
	config, err := json.Marshal(map[string]any{"set": c.Set, "max-golds-per-topic": c.MaxGoldsPerTopic})
	if err != nil {
		return Result{}, err
	}
	out := filepath.Join(c.Workspace.Table(schemas.Qrels.Name), c.Set+".parquet")
	made := manifest.Manifest{
		Stage: stage, Name: c.Set, Schema: schemas.Qrels.Tag(), Inputs: []manifest.Input{input}, Config: config, Started: started,
	}
	if result, ok := c.unchanged(out, made); ok {
		return result, c.verdict(result)
	}

	judged, err := c.read(ctx, path)
	if err != nil {
		return Result{}, err
	}
	rows, result := judged.rows(c)
	if len(rows) == 0 {
		return result, fault.New(fault.Rejected, "%s has no relevance judgement (%d bad lines%s): nothing was written", c.File, result.BadLines, firstBad(c.File, result))
	}
	if err := write(out, rows); err != nil {
		return Result{}, fmt.Errorf("write %s: %w", out, err)
	}
	result.Seconds = time.Since(started).Seconds()
	if err := made.Record(c.Workspace.Manifests(), result); err != nil {
		return Result{}, fmt.Errorf("manifest of qrels %s: %w", c.Set, err)
	}
	for _, bad := range result.Bad {
		c.Log.Warn("bad qrels line", "file", c.File, "line", bad.Line, "reason", bad.Reason)
	}
	return result, c.verdict(result)
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
	share := float64(r.BadLines) / float64(max(1, r.BadLines+r.RowsRead))
	if share <= c.MaxDeadShare {
		return nil
	}
	return fault.New(fault.DeadLetters, "%d of %d lines of %s are no judgement, more than --max-dead-share %v allows%s: qrels/%s.parquet holds the others",
		r.BadLines, r.BadLines+r.RowsRead, c.File, c.MaxDeadShare, firstBad(c.File, r), c.Set)
}

func firstBad(file string, r Result) string {
	if len(r.Bad) == 0 {
		return ""
	}
	return fmt.Sprintf("; first %s:%d: %s", file, r.Bad[0].Line, r.Bad[0].Reason)
}

func write(path string, rows []schemas.Qrel) error {
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := schemas.NewWriter[schemas.Qrel](schemas.Qrels, f)
	if _, err := w.Write(rows); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Replace()
}
