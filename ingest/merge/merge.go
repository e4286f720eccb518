package merge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/internal/duck"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Config of one merge.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	FileBytes   settings.Bytes `yaml:"file-bytes" help:"text in one file of patents/, at most; a smaller value makes incremental merges rewrite less"`
	MemoryLimit settings.Bytes `yaml:"memory-limit" help:"memory to work in; what does not fit goes to the workspace's tmp folder"`
	Threads     int            `yaml:"threads" help:"cores to use; 0 is all"`
	Force       bool           `yaml:"force" help:"merge every document again although nothing has changed"`
}

// minMemory is the least MemoryLimit.
const minMemory = 256 << 20

// Default is what the command starts from.
func Default() Config { return Config{FileBytes: 256 << 20, MemoryLimit: 1 << 30} }

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case c.FileBytes < 1:
		return fault.New(fault.Usage, "--file-bytes is %s, must be positive", c.FileBytes)
	case c.MemoryLimit < minMemory:
		return fault.New(fault.Usage, "--memory-limit is %s, the merge needs at least %s", c.MemoryLimit, settings.Bytes(minMemory))
	case c.Threads < 0:
		return fault.New(fault.Usage, "--threads is %d, must be 0 (all cores) or more", c.Threads)
	}
	return nil
}

// Result of one merge.
type Result struct {
	Skipped bool `json:"skipped"` // nothing had changed; the counts are those of the merge that wrote patents/
	Full    bool `json:"full"`    // every document was merged, not only what is new

	DocumentFiles int64 `json:"document_files"` // files of documents/
	NewFiles      int64 `json:"new_files"`      // of these not seen by an earlier merge
	DocumentRows  int64 `json:"document_rows"`  // rows of documents/
	Superseded    int64 `json:"superseded"`     // rows replaced by a newer row of the same ucid
	Deleted       int64 `json:"deleted"`        // documents whose newest row says deleted
	Documents     int64 `json:"documents"`      // documents that patents/ is made of

	Patents int64 `json:"patents"` // rows of patents/
	Touched int64 `json:"touched"` // patents made anew
	Gone    int64 `json:"gone"`    // touched patents without any document left

	FilesWritten int64 `json:"files_written"`
	FilesKept    int64 `json:"files_kept"` // linked unchanged from the last merge

	TextBytes  int64   `json:"text_bytes"`  // text of the documents that were gathered
	SpillBytes int64   `json:"spill_bytes"` // compressed runs in the temporary folder
	Bytes      int64   `json:"bytes"`       // size of patents/
	Seconds    float64 `json:"seconds"`
}

const stage = "merge"

// Run brings patents/ up to date with documents/.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Threads == 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	c.Progress = progress.Or(c.Progress)
	lockPath := filepath.Join(c.Workspace.Manifests(), "merge.lock")
	lock, err := durable.TryLock(lockPath, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.DateTime)))
	if errors.Is(err, durable.ErrLocked) {
		return Result{}, fmt.Errorf("another merge of %s is running (%s): wait for it", c.Workspace, durable.LockNote(lockPath))
	}
	if err != nil {
		return Result{}, fmt.Errorf("lock the merge: %w", err)
	}
	defer func() { _ = lock.Unlock() }()

	j := &job{Config: c, out: c.Workspace.Table(schemas.Patents.Name), temp: filepath.Join(c.Workspace.Temp(), stage), started: time.Now()}
	if err := os.RemoveAll(j.temp); err != nil {
		return Result{}, fmt.Errorf("remove what an interrupted merge left: %w", err)
	}
	result, err := j.run(ctx)
	if rerr := os.RemoveAll(j.temp); rerr != nil && err == nil {
		err = fmt.Errorf("remove the temporary folder: %w", rerr)
	}
	if isDiskFull(err) {
		err = fmt.Errorf("the disk is full; %s is as it was: free space on the disk of %s and merge again: %w", j.out, c.Workspace, err)
	}
	return result, err
}

// isDiskFull knows our own writes and DuckDB's, which come as text.
func isDiskFull(err error) bool {
	return errors.Is(err, unix.ENOSPC) || err != nil && strings.Contains(strings.ToLower(err.Error()), "no space left on device")
}

// job is one merge under way.
type job struct {
	Config
	out     string // patents/
	temp    string // everything unfinished
	started time.Time
	result  Result
}

func (j *job) run(ctx context.Context) (Result, error) {
	files, err := listDocuments(j.Workspace.Table(schemas.Documents.Name))
	if err != nil {
		return Result{}, err
	}
	if len(files) == 0 {
		return Result{}, fault.New(fault.Rejected, "there are no documents in %s: run `dssdnet ingest publish` and `dssdnet ingest consume` first",
			j.Workspace.Table(schemas.Documents.Name))
	}
	old := loadState(j.out)
	fresh, why := old.fresh(files)
	if j.Force {
		why = "--force"
	}
	if why == "" && len(fresh) == 0 && old.FileBytes == j.FileBytes {
		return old.skipped(j.Workspace.Manifests())
	}
	if why != "" {
		j.Log.Info("merging every document", "reason", why)
		old, fresh = state{}, files
	}
	j.result = Result{Full: why != "", DocumentFiles: int64(len(files)), NewFiles: int64(len(fresh))}
	if err := checkDocuments(fresh); err != nil {
		return Result{}, err
	}

	plan, err := j.plan(ctx, files, fresh)
	if err != nil {
		return Result{}, err
	}
	defer plan.close()
	runs, err := j.gather(ctx, files, plan)
	if err != nil {
		return Result{}, err
	}
	defer runs.close()
	if err := plan.close(); err != nil {
		return Result{}, err
	}
	made, err := j.write(ctx, plan.ranges, runs, old)
	if err != nil {
		return Result{}, err
	}
	j.result.Seconds = time.Since(j.started).Seconds()
	return j.publish(files, made)
}

// MemoryLimit is divided by phase. While DuckDB plans it has most of it. While rows are gathered DuckDB keeps a quarter
// for its finished tables, the sort buffers have half, and the rest is for decoding.

func (c Config) planMemory() settings.Bytes  { return c.MemoryLimit * 3 / 4 }
func (c Config) tableMemory() settings.Bytes { return max(c.MemoryLimit/4, duck.MinMemory) }
func (c Config) sortMemory() int64           { return int64(c.MemoryLimit) / 2 }
