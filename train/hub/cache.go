package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dssdnet/internal/durable"
)

// folder is a model in the cache:
//
//	refs/<revision>             the commit that a branch or tag names
//	blobs/<etag>                files by the hub's name for their content
//	snapshots/<commit>/<file>   links to blobs
//	.no_exist/<commit>/<file>   empty; the commit is known not to have the file
type folder string

func (c *Client) folder(m id) folder {
	return folder(filepath.Join(c.Cache, "models--"+strings.ReplaceAll(m.name, "/", "--")))
}

func (f folder) ref(revision string) string {
	return filepath.Join(string(f), "refs", filepath.FromSlash(revision))
}
func (f folder) blob(etag string) string       { return filepath.Join(string(f), "blobs", etag) }
func (f folder) snapshot(commit string) string { return filepath.Join(string(f), "snapshots", commit) }
func (f folder) file(commit, name string) string {
	return filepath.Join(f.snapshot(commit), name)
}
func (f folder) absence(commit, name string) string {
	return filepath.Join(string(f), ".no_exist", commit, name)
}

var commitRule = regexp.MustCompile(`^[0-9a-f]{40}$`)

// commit is what a revision names in the cache; "" when that is not known there.
func (f folder) commit(revision string) (string, error) {
	if commitRule.MatchString(revision) {
		return revision, nil
	}
	data, err := os.ReadFile(f.ref(revision))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the cache of models: %w", err)
	}
	commit := strings.TrimSpace(string(data))
	if !commitRule.MatchString(commit) {
		return "", fmt.Errorf("%s names no commit: delete the file, then the hub is asked again", f.ref(revision))
	}
	return commit, nil
}

func present(path string) bool {
	_, err := os.Stat(path) // follows the link: one that leads nowhere is not there
	return err == nil
}

// link makes a blob a file of the commit's snapshot.
func (f folder) link(commit, name, etag string) error {
	path := f.file(commit, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp := path + ".part"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(filepath.Join("..", "..", "blobs", etag), temp); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(path))
}
