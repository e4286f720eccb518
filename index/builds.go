package index

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// currentName is the file in index/ that holds the name of the build that readers take.
const currentName = "CURRENT"

// Current returns the folder of the current build below root, the index/ folder of a workspace.
func Current(root string) (string, error) {
	data, err := os.ReadFile(filepath.Join(root, currentName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fault.New(fault.Rejected, "there is no index in %s: run dssdnet index build", root)
	}
	if err != nil {
		return "", err
	}
	name := strings.TrimSpace(string(data))
	if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return "", fault.New(fault.Rejected, "%s does not hold the name of a build but %q: %s", filepath.Join(root, currentName), name, buildAgain)
	}
	return filepath.Join(root, name), nil
}

// SetCurrent makes the build of this name the one that readers take.
func SetCurrent(root, name string) error {
	return durable.WriteFile(filepath.Join(root, currentName), []byte(name+"\n"))
}

// Builds returns the names of the builds below root that have a manifest.
func Builds(root string) ([]string, error) {
	manifests, err := filepath.Glob(filepath.Join(root, "*", ManifestName))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, path := range manifests {
		if name := filepath.Base(filepath.Dir(path)); !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names, nil
}
