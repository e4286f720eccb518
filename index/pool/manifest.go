package pool

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

const manifestFile = "manifest.json"

// encode is the manifest as it lies in the folder of the pool.
func encode(m manifest.Manifest) ([]byte, error) {
	m.Version, m.Tool = manifest.Version, manifest.Tool
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("manifest of pool %s: %w", m.Name, err)
	}
	return append(data, '\n'), nil
}

// LoadManifest reads the manifest in the folder of a pool. The error is fs.ErrNotExist when there is no such pool.
func LoadManifest(dir string) (manifest.Manifest, error) {
	var m manifest.Manifest
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fault.New(fault.Rejected, "the manifest %s is damaged: %w: make the pool again with --force", path, err)
	}
	if m.Version > manifest.Version {
		return m, fault.New(fault.Rejected, "the manifest %s has version %d, this dssdnet reads up to %d: upgrade dssdnet", path, m.Version, manifest.Version)
	}
	return m, nil
}

// Repeats reports whether the pool in dir is the one that a run with the manifest now, which has no result yet, would
// draw. It reads the result of the run that drew it into result, which is of no use when it reports false.
func Repeats(dir string, now manifest.Manifest, result any) bool {
	m, err := LoadManifest(dir)
	return err == nil && m.Same(now.Schema, now.Inputs, now.Config) && json.Unmarshal(m.Result, result) == nil
}
