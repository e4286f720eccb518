package rerank

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// identity is what the bytes of a run depend on.
type identity struct {
	Tool        string           `json:"tool"`
	Checkpoint  []manifest.Input `json:"checkpoint"` // files of the model
	Groups      []manifest.Input `json:"groups"`     // files of the pairs
	Precision   string           `json:"precision"`
	BatchTokens int              `json:"batch_tokens"`
	Window      int              `json:"window"`
	Shards      int              `json:"shards"`
}

// note is runs/<name>.json.
type note struct {
	Identity identity `json:"identity"`
	Result   Result   `json:"result"`
}

func (i identity) bytes() []byte {
	data, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		panic(err) // strings and numbers
	}
	return data
}

// finished returns the result of the run that stands, when this one would make the same.
func (c Config) finished(id identity) (Result, bool) {
	data, err := os.ReadFile(c.noteFile())
	if err != nil || c.Force {
		return Result{}, false
	}
	if _, err := os.Stat(c.runFile()); err != nil {
		return Result{}, false
	}
	var n note
	if json.Unmarshal(data, &n) != nil || !bytes.Equal(n.Identity.bytes(), id.bytes()) {
		return Result{}, false
	}
	n.Result.Skipped = true
	return n.Result, true
}

// claim makes the folder of the parts one of this identity. Parts of another are not to be mixed in, and are dropped
// only when asked to: another process may be making them.
func (c Config) claim(id identity) error {
	path := filepath.Join(c.partsDir(), "identity.json")
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return durable.WriteFile(path, id.bytes())
	case err != nil:
		return err
	case bytes.Equal(data, id.bytes()):
		return nil
	case !c.Force:
		return fault.New(fault.Rejected, "%s holds parts of run %s from another checkpoint, other groups or settings: wait for the process that makes them, drop them with --force, or choose another --run", c.partsDir(), c.Run)
	}
	if err := os.RemoveAll(c.partsDir()); err != nil {
		return err
	}
	return durable.WriteFile(path, id.bytes())
}

// partFile is the part of a window, named by the number of its first topic.
func (c Config) partFile(first int) string {
	return filepath.Join(c.partsDir(), fmt.Sprintf("%08d.trec", first))
}

// missing counts the parts that are not there yet.
func (c Config) missing(firsts []int) int {
	n := 0
	for _, first := range firsts {
		if _, err := os.Stat(c.partFile(first)); err != nil {
			n++
		}
	}
	return n
}

// assemble puts the run together from its parts, in the order of the windows, and drops them.
func (c Config) assemble(firsts []int, n note) error {
	lock, err := durable.TryLock(filepath.Join(c.runsDir(), "."+c.Run+".lock"), fmt.Sprintf("process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return nil // another shard was as fast, and does it
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }()
	if c.missing(firsts) > 0 {
		return nil // another shard has done it
	}
	if err := c.join(firsts); err != nil {
		return fmt.Errorf("put run %s together: %w", c.Run, err)
	}
	data, err := json.MarshalIndent(n, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(c.noteFile(), append(data, '\n')); err != nil {
		return err
	}
	return os.RemoveAll(c.partsDir())
}

func (c Config) join(firsts []int) error {
	out, err := durable.Create(c.runFile())
	if err != nil {
		return err
	}
	defer out.Discard()
	zipped := gzip.NewWriter(out)
	for _, first := range firsts {
		part, err := os.Open(c.partFile(first))
		if err != nil {
			return err
		}
		_, err = io.Copy(zipped, part)
		if err := errors.Join(err, part.Close()); err != nil {
			return err
		}
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return out.Replace()
}
