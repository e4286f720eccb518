package synth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// Names in the output folder. A folder has doneName when everything in it is complete, and startedName until then.
const (
	doneName    = "synth.json"
	startedName = "synth.started.json"
	lockName    = ".synth.lock"
)

// record is the content of both files: the settings, and the counts once they are known.
type record struct {
	Settings identity `json:"settings"`
	Result   *Result  `json:"result,omitempty"`
}

// folder is the output folder of a run, held by this process.
type folder struct {
	path     string
	settings identity
	resumed  bool // an earlier run with the same settings began it
	lock     *durable.Lock
}

// openFolder makes dir this run's output folder. When it holds the finished output of a run with the same settings
// the result of that run is returned, and no folder. A folder with anything else in it is refused untouched.
func openFolder(dir string, settings identity) (*folder, *Result, error) {
	f := &folder{path: dir, settings: settings}
	if result, err := f.inspect(); err != nil || result != nil {
		return nil, result, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, nil, fmt.Errorf("make the output folder: %w", err)
	}
	lock, err := durable.TryLock(filepath.Join(dir, lockName), fmt.Sprintf("dssdnet synth, process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return nil, nil, fault.New(fault.Rejected, "%s is being written by %s: wait for it, or write to another folder",
			dir, durable.LockNote(filepath.Join(dir, lockName)))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	f.lock = lock
	result, err := f.begin() // again, for another process may have been here before the lock
	if err != nil || result != nil {
		f.close()
		return nil, result, err
	}
	return f, nil, nil
}

// begin looks at the folder under the lock and marks it as started.
func (f *folder) begin() (*Result, error) {
	if result, err := f.inspect(); err != nil || result != nil {
		return result, err
	}
	for _, dir := range [...]string{f.path, filepath.Join(f.path, collectionName)} {
		if err := durable.Sweep(dir); err != nil {
			return nil, fmt.Errorf("remove what a killed run left in %s: %w", dir, err)
		}
	}
	if f.resumed {
		return nil, nil
	}
	return nil, f.write(startedName, nil)
}

// inspect finds out whose folder it is. It returns a result when the folder is finished.
func (f *folder) inspect() (*Result, error) {
	entries, err := os.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Rejected, "%s cannot be the output folder: %w", f.path, err)
	}
	foreign := ""
	for _, e := range entries {
		switch e.Name() {
		case doneName, startedName:
			r, err := f.read(e.Name())
			if err != nil {
				return nil, err
			}
			if r.Settings != f.settings {
				return nil, fault.New(fault.Rejected, "%s was written with other settings, see %s: write to another folder, or remove this one",
					f.path, filepath.Join(f.path, e.Name()))
			}
			f.resumed = true
			if e.Name() == doneName { // sorts before startedName
				return r.Result, nil
			}
		case lockName:
		default:
			if !strings.HasSuffix(e.Name(), "-"+startedName) { // what a run killed in its first moment leaves
				foreign = e.Name()
			}
		}
	}
	if foreign != "" && !f.resumed {
		return nil, fault.New(fault.Rejected, "%s is not empty and synth did not write %s: write to an empty or new folder",
			f.path, filepath.Join(f.path, foreign))
	}
	return nil, nil
}

func (f *folder) read(name string) (record, error) {
	path := filepath.Join(f.path, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return record{}, fault.New(fault.Rejected, "read %s: %w", path, err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil || name == doneName && r.Result == nil {
		return record{}, fault.New(fault.Rejected, "%s is not a record of synth: write to another folder", path)
	}
	return r, nil
}

func (f *folder) write(name string, result *Result) error {
	data, err := json.MarshalIndent(record{f.settings, result}, "", "  ")
	if err != nil {
		return fmt.Errorf("record of %s: %w", f.path, err)
	}
	return durable.WriteFile(filepath.Join(f.path, name), append(data, '\n'))
}

// finish makes everything in the folder durable and then says that it is complete.
func (f *folder) finish(result Result) error {
	if err := durable.Sweep(f.path); err != nil {
		return err
	}
	if err := syncAll(f.path); err != nil {
		return fmt.Errorf("flush %s to disk: %w", f.path, err)
	}
	if err := f.write(doneName, &result); err != nil {
		return err
	}
	return os.Remove(filepath.Join(f.path, startedName))
}

// syncAll flushes the file system of dir: one call instead of two for each of a million small files.
func syncAll(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(d.Fd())), d.Close())
}

// close gives the folder up. The lock file goes too: whoever waits for it looks for doneName under the lock.
func (f *folder) close() {
	_ = os.Remove(filepath.Join(f.path, lockName))
	_ = f.lock.Unlock()
}
