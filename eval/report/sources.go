package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dssdnet/eval"
	"dssdnet/internal/manifest"
)

// sources says what the figures were made from.
func (c Config) sources(e *eval.Evaluation, trainings []Training) (Sources, error) {
	s := Sources{Inputs: []Source{}, Stages: []StageSource{}}
	runs := map[string]bool{}
	for _, run := range e.Runs {
		one := RunSource{Name: run.Name, SHA256: run.Input.SHA256}
		if run.Input.Path != "" {
			runs[run.Input.Path] = true
			one.File = filepath.Base(run.Input.Path)
			if err := one.findModel(run.Input.Path, trainings); err != nil {
				return s, err
			}
		}
		s.Runs = append(s.Runs, one)
	}
	for _, input := range e.Inputs {
		if !runs[input.Path] {
			s.Inputs = append(s.Inputs, Source{Name: relative(string(c.Workspace), input.Path), Size: input.Size, SHA256: input.SHA256})
		}
	}
	return s, s.findStages(c.Workspace.Manifests())
}

// relative is a path inside the workspace without it, another without its folder.
func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.Base(path)
}

// findModel reads the note that dssdnet rerank leaves beside a run.
func (r *RunSource) findModel(path string, trainings []Training) error {
	name, ok := strings.CutSuffix(path, ".trec.gz")
	if !ok {
		return nil
	}
	var note struct {
		Identity struct {
			Checkpoint []manifest.Input `json:"checkpoint"`
			Precision  string           `json:"precision"`
		} `json:"identity"`
	}
	if err := readJSON(name+".json", &note); err != nil {
		return err
	}
	r.Precision = note.Identity.Precision
	for _, file := range note.Identity.Checkpoint {
		if file.Path == "model.safetensors" {
			r.Checkpoint = file.SHA256
		}
	}
	for _, t := range trainings {
		if r.Checkpoint != "" && t.Weights == r.Checkpoint {
			r.Training = t.Name
		}
	}
	return nil
}

// findStages reads the latest manifest of every stage.
func (s *Sources) findStages(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		var m manifest.Manifest
		if err := readJSON(path, &m); err != nil {
			return fmt.Errorf("manifest of a stage: %w", err)
		}
		if m.Stage == "eval" {
			continue // this report's own, or that of another
		}
		s.Stages = append(s.Stages, StageSource{
			Stage: m.Stage, Name: m.Name, Tool: m.Tool, Schema: m.Schema, Finished: m.Finished.UTC().Format(time.DateTime), Inputs: len(m.Inputs),
		})
	}
	slices.SortStableFunc(s.Stages, func(a, b StageSource) int { return cmp.Compare(a.Finished, b.Finished) })
	return nil
}
