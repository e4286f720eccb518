package pool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Names of the files in the folder of a pool.
const (
	PoolFile    = "pool.parquet"
	QueriesFile = "queries.jsonl"
)

var nameRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// CheckName refuses names that are no folder names.
func CheckName(flag, name string) error {
	if !nameRule.MatchString(name) {
		return fault.New(fault.Usage, "--%s %q is not a name of letters, digits, '.', '_' and '-'", flag, name)
	}
	return nil
}

// Dir is the folder of a pool.
func Dir(ws workspace.Dir, name string) string {
	return filepath.Join(ws.Table(schemas.Pools.Name), name)
}

// Lock keeps other writers of a pool away and removes what a killed one has left.
func Lock(ws workspace.Dir, name string) (*durable.Lock, error) {
	root := ws.Table(schemas.Pools.Name)
	path := filepath.Join(root, "."+name+".lock")
	lock, err := durable.TryLock(path, fmt.Sprintf("process %d", os.Getpid()))
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("pool %s is being written by another command (%s): wait for it to end, or choose another --pool", name, durable.LockNote(path))
	}
	if err != nil {
		return nil, fmt.Errorf("lock pool %s: %w", name, err)
	}
	if err := errors.Join(refuseWorkers(Dir(ws, name)), sweep(root, name)); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return lock, nil
}

// refuseWorkers keeps a pool that workers draw from being replaced: its files are their position.
func refuseWorkers(dir string) error {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if filepath.Base(path) != PoolFile {
			return fault.New(fault.Rejected, "pool %s is drawn by workers from a Kafka topic (%s): choose another --pool, or remove the folder", filepath.Base(dir), path)
		}
	}
	return nil
}

// sweep removes unfinished folders of this pool. Those of others may be in the making.
func sweep(root, name string) error {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	ours := regexp.MustCompile(`^\.tmp-\d+-` + regexp.QuoteMeta(name) + `$`)
	for _, entry := range entries {
		if ours.MatchString(entry.Name()) {
			if err := os.RemoveAll(filepath.Join(root, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
