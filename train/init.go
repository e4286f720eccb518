package train

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/train/bert"
	"dssdnet/train/torch"
)

// origin is the checkpoint that a run starts from instead of an encoder.
type origin struct {
	From   string `json:"from"`   // version of the registry, or the folder
	SHA256 string `json:"sha256"` // of its weights
	dir    string
}

// initFiles are those of a checkpoint that a run starting from it depends on.
var initFiles = []string{configFile, bert.VocabFile, bert.WeightsFile}

// origin finds the checkpoint of the setting init, nil for none, and the files that decide whether the run is the same. The current model is looked up once, when a run begins:
// a run that is resumed keeps the one it began with, and a finished run is not made again because another model is
// current by now, or its own has become so.
func (c Config) origin() (*origin, []manifest.Input, error) {
	o := &origin{From: c.Init, dir: c.Init}
	switch c.Init {
	case "":
		return nil, nil, nil
	case workspace.Current:
		version, err := c.Workspace.CurrentModel()
		if err != nil {
			return nil, nil, fmt.Errorf("--init current: %w", err)
		}
		if version == "" {
			return nil, nil, nil
		}
		o.From, o.dir = version, c.Workspace.ModelCheckpoint(version)
	}
	var inputs []manifest.Input
	for _, name := range initFiles {
		input, err := manifest.HashInput(filepath.Join(o.dir, name))
		if err != nil {
			return nil, nil, fault.New(fault.Usage, "--init %s is no checkpoint of dssdnet train: %w", c.Init, err)
		}
		if name == bert.WeightsFile {
			o.SHA256 = input.SHA256
		}
		inputs = append(inputs, input)
	}
	if err := c.sameForm(o.dir); err != nil {
		return nil, nil, fmt.Errorf("--init %s: %w", c.Init, err)
	}
	if c.Init == workspace.Current {
		inputs = nil
	}
	return o, inputs, nil
}

// sameForm says how the network of a checkpoint differs from that of the settings in more than the weights of losses.
func (c Config) sameForm(dir string) error {
	path := filepath.Join(dir, configFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var theirs modelConfig
	if err := json.Unmarshal(data, &theirs); err != nil {
		return fault.New(fault.Rejected, "%s: %w", path, err)
	}
	if theirs.Ours == nil {
		return fault.New(fault.Usage, "%s has no part \"dssdnet\": it is an encoder, name it with --encoder", path)
	}
	a, b := theirs.Ours.Config, c.Network
	if a.Model != b.Model || a.HeadLayers != b.HeadLayers || a.FusionLayers != b.FusionLayers {
		return fault.New(fault.Usage, "it is a %s with %d head and %d fusion layers, and the settings ask for a %s with %d and %d: train with the same, or without --init",
			a.Model, a.HeadLayers, a.FusionLayers, b.Model, b.HeadLayers, b.FusionLayers)
	}
	return nil
}

// modelFrom loads the weights and the tokenizer of a checkpoint into a model with this run's settings.
func modelFrom(s *torch.Session, c Config, dir string) (*Model, error) {
	return load(s, dir, networkConfig{Config: c.Network, MaxTokens: c.MaxTokens, Precision: c.Precision})
}

// sameStart reports whether a run may go on from one that began with another origin.
func (s state) sameStart(old state) bool {
	setting, _ := s.Settings["init"].(string)
	return slices.Contains([]string{"", workspace.Current}, setting) || old.Init != nil && s.Init != nil && old.Init.SHA256 == s.Init.SHA256
}
