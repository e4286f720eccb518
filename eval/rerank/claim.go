package rerank

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// claim makes the folder of the parts one of this identity, and holds it so until release is called. Parts of another
// identity are never mixed in: when no process makes them any more, what a killed one left, they are dropped.
//
// Two locks: whoever claims holds that of claims for a moment, and then shares that of work until its parts are made.
// Parts are dropped only while nobody shares it.
func (c Config) claim(id Identity) (release func(), err error) {
	claims, err := lockFile(c.lockFile("claim"), unix.LOCK_EX)
	if err != nil {
		return nil, err
	}
	defer func() { _ = claims.Close() }()
	path := filepath.Join(c.partsDir(), "identity.json")
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !bytes.Equal(data, id.bytes()) {
		if err := c.dropParts(); err != nil {
			return nil, err
		}
		if err := durable.WriteFile(path, id.bytes()); err != nil {
			return nil, err
		}
	}
	work, err := lockFile(c.lockFile("work"), unix.LOCK_SH)
	if err != nil {
		return nil, err
	}
	return func() { _ = work.Close() }, nil
}

// dropParts removes the parts that stand, unless a process is making them.
func (c Config) dropParts() error {
	work, err := lockFile(c.lockFile("work"), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return fault.New(fault.Rejected, "another process makes run %s from another checkpoint, other groups or settings (%s): wait for it, or choose another --run", c.Run, c.partsDir())
	}
	if err != nil {
		return err
	}
	defer func() { _ = work.Close() }()
	return os.RemoveAll(c.partsDir())
}

func (c Config) lockFile(what string) string {
	return filepath.Join(c.runsDir(), "."+c.Run+"."+what+".lock")
}

// lockFile opens a file with a lock on it, which ends when the file is closed.
func lockFile(path string, how int) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
