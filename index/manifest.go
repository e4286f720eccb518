package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/index/analysis"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// Format is the version of the layout of a build that this dssdnet writes and reads.
//
//	1  first: ice version 1 segments, stored records, content digest as name
const Format = 1

// ManifestName is the manifest's file in the folder of a build.
const ManifestName = "manifest.json"

// Manifest describes a build.
type Manifest struct {
	Format   int         `json:"format"`
	Tool     string      `json:"tool"`
	Build    string      `json:"build"` // name, a hash of the content
	Analyzer string      `json:"analyzer"`
	Fields   []string    `json:"fields"` // text forms of the fields
	Patents  int64       `json:"patents"`
	Digest   string      `json:"digest"` // of all patents
	Stats    []FieldInfo `json:"stats"`  // per field, in their order
	Segments int         `json:"segments"`
	// Deltas is the number of increments since the last build from nothing, and DeltaShare the patents they added,
	// changed or deleted, as a share of Patents.
	Deltas     int       `json:"deltas"`
	DeltaShare float64   `json:"delta_share"`
	Files      []File    `json:"files"`
	Inputs     []Input   `json:"inputs"`
	Started    time.Time `json:"started"`
	Finished   time.Time `json:"finished"`
}

// FieldInfo are the numbers of a field that BM25 needs.
type FieldInfo struct {
	Name          string  `json:"name"`
	Patents       int64   `json:"patents"` // N: patents with a term in the field
	Terms         int64   `json:"terms"`   // terms of all patents, repetitions counted
	AverageLength float64 `json:"average_length"`
}

// File is a file of the build.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Input is a file of patents/ that the build was made of. The merge stage writes a file anew or leaves it alone, so
// size and time of change tell whether it is the same.
type Input struct {
	Name     string    `json:"name"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// Same reports whether two inputs are the same file content.
func (i Input) Same(other Input) bool {
	return i.Name == other.Name && i.Size == other.Size && i.Modified.Equal(other.Modified)
}

// ReadManifest reads the manifest of the build in dir and refuses builds that this dssdnet cannot search.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fault.New(fault.Rejected, "%s is no index build, it has no %s: run dssdnet index build", dir, ManifestName)
	}
	if err != nil {
		return Manifest{}, err
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return Manifest{}, fault.New(fault.Rejected, "the index manifest %s is damaged: %w: %s", path, err, buildAgain)
	}
	return m, m.check(path)
}

const buildAgain = "build the index again (dssdnet index build --force)"

func (m *Manifest) check(path string) error {
	switch {
	case m.Format < 1:
		return fault.New(fault.Rejected, "the index manifest %s is damaged: it has no format: %s", path, buildAgain)
	case m.Format != Format:
		return fault.New(fault.Rejected, "the index of %s has format %d, this dssdnet reads %d: %s", path, m.Format, Format, buildAgain)
	case !slices.Contains(analysis.Names(), m.Analyzer):
		return fault.New(fault.Rejected, "the index of %s was built with analyzer %q, which this dssdnet does not have (it has %v): %s",
			path, m.Analyzer, analysis.Names(), buildAgain)
	}
	if _, err := ParseFields(m.Fields); err != nil {
		return fault.New(fault.Rejected, "the index manifest %s is damaged: %w: %s", path, err, buildAgain)
	}
	if len(m.Stats) != len(m.Fields) {
		return fault.New(fault.Rejected, "the index manifest %s is damaged: %d fields but stats of %d: %s", path, len(m.Fields), len(m.Stats), buildAgain)
	}
	return nil
}

// FieldSpecs are the fields of the build.
func (m *Manifest) FieldSpecs() []FieldSpec {
	fields, err := ParseFields(m.Fields)
	if err != nil {
		panic(fmt.Sprintf("index: a manifest that was checked has bad fields: %v", err))
	}
	return fields
}

// Write puts the manifest into dir, in the place of an older one.
func (m *Manifest) Write(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("index manifest: %w", err)
	}
	return durable.WriteFile(filepath.Join(dir, ManifestName), append(data, '\n'))
}
