package sampler

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
	"dssdnet/schemas"
)

const (
	manifestName = "manifest.json"
	cardName     = "README.md"
)

// Manifest is the manifest.json of pairs/<name>/. It holds no time, so equal inputs and settings give equal bytes.
type Manifest struct {
	Version  int              `json:"version"`
	Tool     string           `json:"tool"`
	Stage    string           `json:"stage"`
	Name     string           `json:"name"`
	Schema   string           `json:"schema"`
	Inputs   []manifest.Input `json:"inputs"`
	Config   json.RawMessage  `json:"config"`
	Counts   Counts           `json:"counts"`
	Warnings []string         `json:"warnings"`
	Checks   []Check          `json:"checks"`
	Files    []File           `json:"files"`
}

// ReadManifest reads the manifest of the pairs in dir.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("%s holds no pairs, it has no %s: run dssdnet sample", dir, manifestName)
	}
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fmt.Errorf("%s is damaged: %w: run dssdnet sample --force", path, err)
	}
	if m.Version > manifest.Version {
		return Manifest{}, fmt.Errorf("%s has version %d, this dssdnet reads up to %d: upgrade dssdnet", path, m.Version, manifest.Version)
	}
	return m, nil
}

// Verify reads the files of the pairs in dir and compares them with the manifest: the guard against damage on disk.
func (m Manifest) Verify(dir string) error {
	for _, f := range m.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		found, err := manifest.HashInput(path)
		if err != nil {
			return fmt.Errorf("the pairs in %s are not whole: %w: run dssdnet sample --force", dir, err)
		}
		if found.Size != f.Size || found.SHA256 != f.SHA256 {
			return fmt.Errorf("%s is not the file that was written: run dssdnet sample --force", path)
		}
	}
	return nil
}

// publish hashes the files, adds the card and the manifest, and puts the folder in place.
func (j *job) publish(inputs []manifest.Input, config json.RawMessage) error {
	if err := j.listFiles(); err != nil {
		return err
	}
	card, err := j.card(inputs)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(j.newDir(), cardName), card); err != nil {
		return fmt.Errorf("write the dataset card: %w", err)
	}
	data, err := json.MarshalIndent(Manifest{
		Version: manifest.Version, Tool: manifest.Tool, Stage: stage, Name: j.Pairs, Schema: schemas.Pairs.Tag(), Inputs: inputs, Config: config,
		Counts: j.result.Counts, Warnings: j.result.Warnings, Checks: j.result.Checks, Files: j.result.Files,
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(j.newDir(), manifestName), append(data, '\n')); err != nil {
		return fmt.Errorf("write the manifest of the pairs: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(j.out), 0o755); err != nil {
		return err
	}
	return durable.SwapDir(j.newDir(), j.out)
}

// listFiles describes the files that were written, by name, and makes their names survive a power cut.
func (j *job) listFiles() error {
	return filepath.WalkDir(j.newDir(), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return durable.SyncDir(path)
		}
		input, err := manifest.HashInput(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(j.newDir(), path)
		if err != nil {
			return err
		}
		j.result.Files = append(j.result.Files, File{Name: filepath.ToSlash(name), Size: input.Size, SHA256: input.SHA256})
		j.result.Bytes += input.Size
		return nil
	})
}
