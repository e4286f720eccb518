package train

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/train/bert"
	"dssdnet/train/hub"
	"dssdnet/train/torch"
)

const stage = "train"

// schema tags what a run leaves.
var schema = fmt.Sprintf("checkpoints/%d", stateVersion)

// encoderFiles are those of a model on the hub that an encoder is loaded from.
var encoderFiles = []hub.File{
	{Name: configFile}, {Name: bert.VocabFile}, {Name: bert.TokenizerFile, Optional: true}, {Name: bert.WeightsFile},
}

// job is what the seeds of a run share.
type job struct {
	Config
	started      time.Time
	train, valid *dataset
	alpha        float64
	seeds        []uint64
	device       torch.Device
	encoder      string // folder; "" for a tiny one
	init         *origin
	inputs       []manifest.Input
	settings     json.RawMessage
}

// prepare reads everything once that the training depends on.
func (c Config) prepare(ctx context.Context) (*job, error) {
	j := &job{Config: c, started: time.Now()}
	var auto bool
	var err error
	if j.seeds, err = c.seeds(); err != nil {
		return nil, err
	}
	if j.device, err = torch.ParseDevice(c.Device); err != nil {
		return nil, err
	}
	if j.alpha, auto, err = c.alpha(); err != nil {
		return nil, err
	}
	if j.train, err = openDataset(c.pairsDir(), splitTrain); err != nil {
		return nil, err
	}
	if j.valid, err = openDataset(c.pairsDir(), splitValid); err != nil {
		return nil, err
	}
	if auto {
		if j.alpha, err = j.train.share(); err != nil {
			return nil, err
		}
	}
	if j.encoder, err = c.encoder(ctx); err != nil {
		return nil, err
	}
	if j.inputs, err = j.read(); err != nil {
		return nil, err
	}
	var inputs []manifest.Input
	if j.init, inputs, err = c.origin(); err != nil {
		return nil, err
	}
	j.inputs = append(j.inputs, inputs...)
	j.settings, err = c.recorded()
	return j, err
}

// read describes the files that the run is made of: the pairs with their manifest, and the encoder.
func (j *job) read() ([]manifest.Input, error) {
	inputs := slices.Concat(j.train.files, j.valid.files)
	pairs, err := manifest.HashInput(filepath.Join(j.pairsDir(), "manifest.json"))
	if err == nil {
		inputs = slices.Insert(inputs, 0, pairs)
	} else if !errors.Is(err, fs.ErrNotExist) { // pairs may be made by hand, without one
		return nil, err
	}
	for i, input := range inputs {
		if name, err := filepath.Rel(string(j.Workspace), input.Path); err == nil {
			inputs[i].Path = name
		}
	}
	if j.encoder == "" {
		return inputs, nil
	}
	for _, name := range []string{configFile, bert.VocabFile, bert.WeightsFile} {
		input, err := manifest.HashInput(filepath.Join(j.encoder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // what is missing is said by the one who reads it
		}
		if err != nil {
			return nil, fmt.Errorf("read the encoder: %w", err)
		}
		inputs = append(inputs, input)
	}
	return inputs, nil
}

// encoder is the folder of the encoder to start from: the one named, or that of a model of the hub in its cache. It is
// "" for a tiny one.
func (c Config) encoder(ctx context.Context) (string, error) {
	if c.Encoder == Tiny {
		return "", nil
	}
	if s, err := os.Stat(c.Encoder); err == nil && s.IsDir() {
		return c.Encoder, nil
	}
	if !hub.IsID(c.Encoder) {
		return "", fault.New(fault.Usage, "--encoder %s: there is no such folder, and it is no id of a model on the hub (org/name)", c.Encoder)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the cache of models: %w", err)
	}
	client := hub.FromEnv(os.Getenv, home)
	client.Log, client.Progress = c.Log, c.Progress
	dir, err := client.Model(ctx, c.Encoder, encoderFiles)
	if err != nil {
		return "", fmt.Errorf("--encoder %s is no folder here; as an id of the hub: %w", c.Encoder, err)
	}
	return dir, nil
}

// recorded are the settings that decide what a run leaves.
func (c Config) recorded() (json.RawMessage, error) {
	all := c.identity()
	for key, value := range map[string]any{
		"pairs": c.Pairs, "seeds": c.Seeds, "device": c.Device, "epochs": c.Epochs, "max-steps": c.MaxSteps, "eval-steps": c.EvalSteps,
		"patience": c.Patience,
	} {
		all[key] = value
	}
	return json.Marshal(all)
}

// unchanged returns the result of the finished run when this one would train the same.
func (j *job) unchanged() (Result, bool) {
	m, err := manifest.Load(j.Workspace.Manifests(), stage, j.Run)
	if err != nil || !m.Same(schema, j.inputs, j.settings) {
		return Result{}, false
	}
	for _, seed := range j.seeds {
		if _, err := os.Stat(filepath.Join(j.folder(seed), bestName, bert.WeightsFile)); err != nil {
			return Result{}, false
		}
	}
	var r Result
	if err := json.Unmarshal(m.Result, &r); err != nil {
		return Result{}, false
	}
	r.Skipped = true
	return r, true
}

func (j *job) record(r Result) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return manifest.Manifest{
		Stage: stage, Name: j.Run, Schema: schema, Inputs: j.inputs, Config: j.settings, Result: data, Started: j.started, Finished: time.Now(),
	}.Write(j.Workspace.Manifests())
}
