package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("held by another process")

// Lock is an exclusive lock on a file, gone when its holder closes it or dies.
type Lock struct{ f *os.File }

// TryLock takes the lock at path without waiting. The error is ErrLocked while another process holds it. The file
// then holds note, which says to others who has it (read it with [LockNote]).
func TryLock(path, note string) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, ErrLocked
		}
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		_ = f.Close()
		return nil, err
	}
	if _, err := f.WriteAt([]byte(note), 0); err != nil {
		_ = f.Close()
		return nil, err
	}
	return &Lock{f}, nil
}

// LockNote returns what the holder of the lock at path says of itself, or "".
func LockNote(path string) string {
	note, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(note))
}

// Unlock releases the lock. The file stays: removing it would let two processes hold two locks of one name.
func (l *Lock) Unlock() error { return l.f.Close() }
