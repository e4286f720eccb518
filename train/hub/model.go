package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// File is a file that a model is wanted with.
type File struct {
	Name     string
	Optional bool // a model may lack it
}

// Model is the folder of a model in the cache, after downloading what is missing there.
func (c *Client) Model(ctx context.Context, model string, files []File) (string, error) {
	m, ok := parse(model)
	if !ok {
		return "", fault.New(fault.Usage, "%q is no id of a model: want org/name or org/name@revision", model)
	}
	f := c.folder(m)
	commit, err := f.commit(m.revision)
	if err != nil {
		return "", err
	}
	missing := f.missing(commit, files)
	if len(missing) == 0 {
		return f.snapshot(commit), nil
	}
	if c.Offline {
		return c.withoutHub(f, m, commit, missing)
	}
	return c.fetch(ctx, f, m, files)
}

// missing are the files of a commit that the cache does not have, nor knows to be absent.
func (f folder) missing(commit string, files []File) []File {
	var missing []File
	for _, file := range files {
		known := commit != "" && (present(f.file(commit, file.Name)) || file.Optional && present(f.absence(commit, file.Name)))
		if !known {
			missing = append(missing, file)
		}
	}
	return missing
}

// withoutHub makes do with the cache.
func (c *Client) withoutHub(f folder, m id, commit string, missing []File) (string, error) {
	var needed, wanted []string
	for _, file := range missing {
		if file.Optional {
			wanted = append(wanted, file.Name)
		} else {
			needed = append(needed, file.Name)
		}
	}
	if len(needed) > 0 {
		return "", fault.New(fault.Usage, "model %s, revision %s: %s lacks %s, and HF_HUB_OFFLINE forbids asking the hub: unset it, or copy the "+
			"model's folder into the cache (HF_HOME)", m.name, m.revision, f, strings.Join(needed, ", "))
	}
	c.Log.Warn("the cached model may be incomplete, and HF_HUB_OFFLINE forbids asking the hub", "model", m.name, "absent", strings.Join(wanted, ", "))
	return f.snapshot(commit), nil
}

// fetch downloads the files of the commit that the revision names now, then makes the cache's reference name it.
func (c *Client) fetch(ctx context.Context, f folder, m id, files []File) (string, error) {
	unlock, err := c.lock(f)
	if err != nil {
		return "", err
	}
	defer unlock()
	at := m // pinned to a commit with the first answer
	for _, file := range files {
		info, err := c.resolve(ctx, at, file.Name)
		if errors.Is(err, errNoFile) && file.Optional && commitRule.MatchString(at.revision) {
			if err := durable.WriteFile(f.absence(at.revision, file.Name), nil); err != nil {
				return "", err
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("model %s, revision %s: %w", m.name, m.revision, err)
		}
		at.revision = info.commit
		if !present(f.blob(info.etag)) {
			if err := c.download(ctx, f, info); err != nil {
				return "", fmt.Errorf("model %s: download %s: %w", m.name, file.Name, err)
			}
		}
		if err := f.link(info.commit, file.Name, info.etag); err != nil {
			return "", fmt.Errorf("put %s of model %s into the cache: %w", file.Name, m.name, err)
		}
	}
	if m.revision != at.revision {
		if err := durable.WriteFile(f.ref(m.revision), []byte(at.revision)); err != nil {
			return "", fmt.Errorf("put model %s into the cache: %w", m.name, err)
		}
	}
	return f.snapshot(at.revision), nil
}

// lock keeps a second process of ours away from the folder.
func (c *Client) lock(f folder) (unlock func(), err error) {
	path := filepath.Join(c.Cache, ".locks", filepath.Base(string(f)), "dssdnet.lock")
	lock, err := durable.TryLock(path, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.DateTime)))
	if errors.Is(err, durable.ErrLocked) {
		return nil, fmt.Errorf("another process downloads into %s (%s): wait for it", f, durable.LockNote(path))
	}
	if err != nil {
		return nil, fmt.Errorf("lock the cache of models: %w", err)
	}
	return func() { _ = lock.Unlock() }, nil // it goes with the process at the latest
}
