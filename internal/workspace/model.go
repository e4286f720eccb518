package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Current is the name of the link in Models that points to the version in use.
const Current = "current"

// Models is the registry of models: a folder for each version, and the link to the current one.
func (d Dir) Models() string { return d.in("models") }

// ModelCheckpoint is the checkpoint of a version.
func (d Dir) ModelCheckpoint(version string) string { return d.in("models", version, "checkpoint") }

// CurrentModel is the version that is current at this moment, "" when there is none. Who reads several files of it asks
// once: the link can be moved at any time, a version's folder never changes.
func (d Dir) CurrentModel() (string, error) {
	path := filepath.Join(d.Models(), Current)
	target, err := os.Readlink(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("%s should be a link to a version beside it: %w", path, err)
	}
	version := filepath.Clean(target)
	if version != filepath.Base(version) {
		return "", fmt.Errorf("%s points to %s, not to a version beside it: dssdnet model promote VERSION sets it right", path, target)
	}
	if _, err := os.Stat(d.ModelCheckpoint(version)); err != nil {
		return "", fmt.Errorf("%s points to %s, which is not whole (%w): dssdnet model promote VERSION sets it to another", path, version, err)
	}
	return version, nil
}
