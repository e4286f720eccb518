package promote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"dssdnet/internal/manifest"
	"dssdnet/pipelines/registry"
	"dssdnet/sampler"
)

// lineage gathers what the candidate was made of from what the stages before left.
func (c Config) lineage(found *candidate) (registry.Lineage, error) {
	l := registry.Lineage{
		Tool: manifest.Tool, Pipeline: c.Pipeline, PipelineRun: c.PipelineRun, Training: c.training(),
		Checkpoint: found.checkpoint, Run: found.run, Groups: found.note.Identity.Groups,
	}
	if err := readCheckpoint(found.dir, &l); err != nil {
		return l, err
	}
	return l, c.readTraining(&l)
}

// readCheckpoint takes what a checkpoint says of itself.
func readCheckpoint(dir string, l *registry.Lineage) error {
	var state struct {
		Step  int      `json:"step"`
		Best  *float64 `json:"best_loss"`
		Seed  uint64   `json:"seed"`
		Train string   `json:"train_sha256"`
		Valid string   `json:"valid_sha256"`
		Init  *struct {
			From string `json:"from"`
		} `json:"init"`
		Settings map[string]any `json:"settings"`
	}
	if err := readJSON(filepath.Join(dir, "trainer_state.json"), &state); err != nil {
		return err
	}
	l.Seed, l.Steps, l.ValidLoss, l.TrainSHA256, l.ValidSHA256, l.Settings = state.Seed, state.Step, state.Best, state.Train, state.Valid, state.Settings
	l.Encoder, _ = state.Settings["encoder"].(string)
	if state.Init != nil {
		l.Init = state.Init.From
	}
	var config struct {
		Ours struct {
			Model string `json:"model"`
		} `json:"dssdnet"`
	}
	if err := readJSON(filepath.Join(dir, "config.json"), &config); err != nil {
		return err
	}
	l.Network = config.Ours.Model
	return nil
}

// readTraining takes the inputs of the training from its manifest, and those of its pairs from theirs. Either may be
// gone, or be of a later run: what does not belong to the candidate is left out, and said.
func (c Config) readTraining(l *registry.Lineage) error {
	run, _, _ := strings.Cut(c.training(), "/")
	m, err := manifest.Load(c.Workspace.Manifests(), "train", run)
	if errors.Is(err, fs.ErrNotExist) {
		c.Log.Warn("the training has no manifest: the lineage lacks its inputs", "training", run)
		return nil
	}
	if err != nil {
		return err
	}
	var settings struct {
		Pairs string `json:"pairs"`
	}
	if err := json.Unmarshal(m.Config, &settings); err != nil {
		return fmt.Errorf("manifest of training %s: %w", run, err)
	}
	l.Pairs, l.Inputs = settings.Pairs, m.Inputs
	dir := filepath.Join(string(c.Workspace), "pairs", settings.Pairs)
	now, err := manifest.HashInput(filepath.Join(dir, "manifest.json"))
	name := filepath.Join("pairs", settings.Pairs, "manifest.json")
	for _, input := range m.Inputs {
		if err == nil && input.Path == name && input.SHA256 == now.SHA256 {
			pairs, err := sampler.ReadManifest(dir)
			l.Data = pairs.Inputs
			return err
		}
	}
	c.Log.Warn("the pairs have been sampled again since the training: the lineage lacks what they were made of", "pairs", settings.Pairs)
	return nil
}
