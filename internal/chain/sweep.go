package chain

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"dssdnet/internal/durable"
)

// tempPrefix begins the name of an unfinished file.
const tempPrefix = ".tmp-"

// alive is the sign by which a sweep sees that somebody still writes an unfinished file: a lock on it, which the
// kernel takes off when the process ends. The lock belongs to a descriptor of its own, so that it outlives closing
// the file and holds until the file has its final name.
//
// A file is born without the lock. So the writer makes another one when a sweep was faster: the sweep locks a file
// before it removes it, and the writer, once it has the lock, looks whether the file is still there.
type alive struct{ fd int }

// create makes an unfinished file that no sweep removes.
func create(path string) (*durable.File, *alive, error) {
	for {
		file, err := durable.Create(path)
		if err != nil {
			return nil, nil, err
		}
		a, err := markAlive(file)
		if err == nil {
			return file, a, nil
		}
		file.Discard()
		if !errors.Is(err, errSwept) {
			return nil, nil, err
		}
	}
}

var errSwept = errors.New("swept before it was marked alive")

func markAlive(file *durable.File) (*alive, error) {
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	a := &alive{fd}
	switch err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		a.release()
		return nil, errSwept
	case err != nil:
		a.release()
		return nil, err
	}
	if _, err := os.Lstat(file.Name()); errors.Is(err, fs.ErrNotExist) {
		a.release()
		return nil, errSwept
	}
	return a, nil
}

func (a *alive) release() {
	if a.fd >= 0 {
		_ = unix.Close(a.fd)
		a.fd = -1
	}
}

// Sweep removes the unfinished files that killed processes left. Files that somebody still writes stay, in this process
// or another, so it may run at any time.
func (f *Folder[R]) Sweep() error {
	entries, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) && e.Type().IsRegular() {
			if err := sweep(filepath.Join(f.dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func sweep(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its writer has just finished
	}
	if err != nil {
		return err
	}
	defer file.Close()
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil
	}
	if err == nil {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
