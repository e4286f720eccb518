package merge

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
	"dssdnet/internal/settings"
	"dssdnet/schemas"
)

// rulesVersion is the version of the merge rule and of the way files are cut. A change makes the next merge a full
// one.
//
//	1  first
const rulesVersion = 1

// manifestName is the manifest inside patents/.
const manifestName = "manifest.json"

// state is the manifest of patents/: an ordinary manifest whose inputs are the documents files merged, and what the
// next merge needs.
type state struct {
	manifest.Manifest
	Rules     int            `json:"rules"`
	FileBytes settings.Bytes `json:"file_bytes"`
	Files     []patentFile   `json:"files"` // in order of patent id

	broken string // why the manifest cannot be used
}

// patentFile is a file of patents/.
type patentFile struct {
	Name string `json:"name"`
	fileRange
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// loadState reads the manifest of patents/ and compares it with the files there.
func loadState(dir string) state {
	data, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return state{broken: "there is no patents table yet"}
	}
	if err != nil {
		return state{broken: err.Error()}
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return state{broken: fmt.Sprintf("%s is damaged: %v", manifestName, err)}
	}
	switch {
	case s.Schema != schemas.Patents.Tag():
		return state{broken: fmt.Sprintf("patents was written as %s, this dssdnet writes %s", s.Schema, schemas.Patents.Tag())}
	case s.Rules != rulesVersion:
		return state{broken: fmt.Sprintf("patents was merged by rules %d, this dssdnet has rules %d", s.Rules, rulesVersion)}
	}
	for _, f := range s.Files {
		if info, err := os.Stat(filepath.Join(dir, f.Name)); err != nil || info.Size() != f.Size {
			return state{broken: fmt.Sprintf("%s is not the file that the last merge wrote", f.Name)}
		}
	}
	return s
}

// fresh returns the documents files that were not merged yet, or why only a full merge will do.
func (s state) fresh(files []documentFile) (fresh []documentFile, why string) {
	if s.broken != "" {
		return nil, s.broken
	}
	merged := map[string]int64{}
	for _, input := range s.Inputs {
		merged[filepath.Base(input.Path)] = input.Size
	}
	for _, f := range files {
		size, ok := merged[f.name]
		switch {
		case !ok:
			fresh = append(fresh, f)
		case size != f.size:
			return nil, fmt.Sprintf("documents file %s is not the one that was merged", f.name)
		}
		delete(merged, f.name)
	}
	if len(merged) > 0 {
		return nil, fmt.Sprintf("documents file %s was merged and is gone", slices.Min(slices.Collect(maps.Keys(merged))))
	}
	return fresh, ""
}

// skipped is the result of a merge that has nothing to do. It mends the stage's manifest, which a killed merge may
// not have come to write.
func (s state) skipped(manifests string) (Result, error) {
	var r Result
	if err := json.Unmarshal(s.Result, &r); err != nil {
		return Result{}, fmt.Errorf("manifest of patents: %w", err)
	}
	r.Skipped = true
	latest, err := manifest.Load(manifests, stage, "")
	if err == nil && latest.Finished.Equal(s.Finished) {
		return r, nil
	}
	return r, s.Write(manifests)
}

// publish puts the new patents/ in place, with its manifest.
func (j *job) publish(files []documentFile, made []patentFile) (Result, error) {
	slices.SortFunc(made, func(a, b patentFile) int { return cmp.Compare(a.First, b.First) })
	result, err := json.Marshal(j.result)
	if err != nil {
		return Result{}, err
	}
	config, err := json.Marshal(map[string]any{"file-bytes": j.FileBytes})
	if err != nil {
		return Result{}, err
	}
	s := state{
		Manifest: manifest.Manifest{
			Version: manifest.Version, Tool: manifest.Tool, Stage: stage, Schema: schemas.Patents.Tag(),
			Config: config, Result: result, Started: j.started, Finished: time.Now(),
		},
		Rules: rulesVersion, FileBytes: j.FileBytes, Files: made,
	}
	for _, f := range files {
		s.Inputs = append(s.Inputs, manifest.Input{Path: filepath.Join(schemas.Documents.Name, f.name), Size: f.size})
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return Result{}, err
	}
	if err := durable.WriteFile(filepath.Join(j.newDir(), manifestName), append(data, '\n')); err != nil {
		return Result{}, fmt.Errorf("write the manifest of patents: %w", err)
	}
	if err := durable.SwapDir(j.newDir(), j.out); err != nil {
		return Result{}, err
	}
	if err := s.Write(j.Workspace.Manifests()); err != nil {
		return Result{}, fmt.Errorf("write the manifest of the merge: %w", err)
	}
	return j.result, nil
}

// newDir is the patents/ in the making.
func (j *job) newDir() string { return filepath.Join(j.temp, schemas.Patents.Name) }
