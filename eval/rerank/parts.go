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
)

// finished returns the result of the run that stands, when this one would make the same.
func (c Config) finished(id Identity) (Result, bool) {
	data, err := os.ReadFile(c.noteFile())
	if err != nil || c.Force {
		return Result{}, false
	}
	if _, err := os.Stat(c.runFile()); err != nil {
		return Result{}, false
	}
	var n Note
	if json.Unmarshal(data, &n) != nil || !bytes.Equal(n.Identity.bytes(), id.bytes()) {
		return Result{}, false
	}
	n.Result.Skipped = true
	return n.Result, true
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
func (c Config) assemble(firsts []int, n Note) error {
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
	// Without its note a run is not taken for finished: between the two files they would not belong together.
	if err := os.Remove(c.noteFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
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
