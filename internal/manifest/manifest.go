// Package manifest records what a stage run read, with which settings, and what came out. The latest manifest of a
// stage decides whether running it again would change anything.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/durable"
)

// Version of the manifest's own layout.
//
//	1  first
const Version = 1

// Tool is the version of this build. The linker sets it (-X dssdnet/internal/manifest.Tool=...).
var Tool = "dev"

// Manifest is the record of one stage run.
type Manifest struct {
	Version  int             `json:"version"`
	Tool     string          `json:"tool"`
	Stage    string          `json:"stage"`          // merge, topics ...
	Name     string          `json:"name,omitempty"` // which of several outputs of the stage: 2010-train
	Schema   string          `json:"schema"`         // tag of the table that was written: patents/1
	Inputs   []Input         `json:"inputs"`
	Config   json.RawMessage `json:"config"`
	Result   json.RawMessage `json:"result"`
	Started  time.Time       `json:"started"`
	Finished time.Time       `json:"finished"`
}

// Input is one file that a stage read.
type Input struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // absent for files that are never rewritten under one name
}

// HashInput describes the file at path with the hash of its content.
func HashInput(path string) (Input, error) {
	f, err := os.Open(path)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return Input{}, fmt.Errorf("hash %s: %w", path, err)
	}
	return Input{Path: path, Size: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// HashInputs describes the files at paths, in their order.
func HashInputs(paths []string) ([]Input, error) {
	inputs := make([]Input, 0, len(paths))
	for _, path := range paths {
		input, err := HashInput(path)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		inputs = append(inputs, input)
	}
	return inputs, nil
}

// Path is where the latest manifest of a stage and name lies in a manifests folder.
func Path(dir, stage, name string) string {
	if name != "" {
		stage += "." + name
	}
	return filepath.Join(dir, stage+".json")
}

// Write makes m the latest manifest of its stage and name in dir, and keeps a copy in dir/runs.
func (m Manifest) Write(dir string) error {
	m.Version, m.Tool = Version, Tool
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Stage, err)
	}
	data = append(data, '\n')
	run := m.Finished.UTC().Format("20060102T150405.000000Z") + "-" + m.Stage
	if err := durable.WriteFile(Path(filepath.Join(dir, "runs"), run, m.Name), data); err != nil {
		return err
	}
	return durable.WriteFile(Path(dir, m.Stage, m.Name), data)
}

// Load reads the latest manifest of a stage and name. The error is fs.ErrNotExist when there is none.
func Load(dir, stage, name string) (Manifest, error) {
	path := Path(dir, stage, name)
	data, err := os.ReadFile(path)
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fmt.Errorf("manifest %s: %w", path, err)
	}
	if m.Version > Version {
		return Manifest{}, fmt.Errorf("manifest %s has version %d, this dssdnet reads up to %d: upgrade dssdnet", path, m.Version, Version)
	}
	return m, nil
}

// Same reports whether a run with these inputs and this config, written by this build for the same schema, would
// write what m records.
func (m Manifest) Same(schema string, inputs []Input, config json.RawMessage) bool {
	return m.Tool == Tool && m.Schema == schema && slices.Equal(m.Inputs, inputs) && sameJSON(m.Config, config)
}

// Repeats reports whether the latest run recorded in dir did what m, which has no result yet, would do. It reads the
// result of that run into result, which is of no use when it reports false.
func (m Manifest) Repeats(dir string, result any) bool {
	latest, err := Load(dir, m.Stage, m.Name)
	return err == nil && latest.Same(m.Schema, m.Inputs, m.Config) && json.Unmarshal(latest.Result, result) == nil
}

// Record makes m, with the result of its run that ends now, the latest manifest of its stage and name in dir.
func (m Manifest) Record(dir string, result any) (err error) {
	if m.Result, err = json.Marshal(result); err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Stage, err)
	}
	m.Finished = time.Now()
	return m.Write(dir)
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
