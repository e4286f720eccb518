package train

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
	"dssdnet/train/dssd"
	"dssdnet/train/torch"
)

// Tiny as Config.Encoder asks for a small random encoder with a vocabulary learnt on the training pairs.
const Tiny = "tiny"

// Config is a training run.
type Config struct {
	Workspace workspace.Dir     `yaml:"-"`
	Log       *slog.Logger      `yaml:"-"` // nil discards
	Progress  progress.Reporter `yaml:"-"` // nil is silent

	Run     string `yaml:"run" help:"name of the run: checkpoints/<run>/"`
	Pairs   string `yaml:"pairs" help:"name of the pairs to train on: pairs/<name>/"`
	Encoder string `yaml:"encoder" help:"folder of a BERT model (config.json, vocab.txt, model.safetensors), id of one on the Hugging Face hub (org/name), or tiny: a small random one"`
	// Init is a checkpoint of the same network. The encoder is still needed: it is what starts a workspace without a model.
	Init    string `yaml:"init" help:"folder of a checkpoint to start from instead of the encoder; or current: that of the current model, the encoder while there is none"`
	Resume  bool   `yaml:"resume" help:"go on from the run's newest checkpoint, or start when there is none"`
	Replace bool   `yaml:"replace" help:"drop what stands under the run's name when it cannot go on with these pairs and settings"`

	Network dssd.Config `yaml:",inline"`

	Seeds   []string `yaml:"seeds" help:"seeds to train with, one after the other; several give checkpoints/<run>/seed-<n>/ and their mean and deviation"`
	Device  string   `yaml:"device" help:"cpu, cuda or cuda:N"`
	Threads int      `yaml:"threads" help:"threads of the processor; 0 is one per core"`

	// Precision bfloat16 runs matrix products in that type; parameters, losses and the optimizer stay float32.
	Precision    string `yaml:"precision" help:"float32 or bfloat16"`
	MaxTokens    int    `yaml:"max-tokens" help:"tokens of a pair; longer ones lose the end of their longer text first"`
	FreezeLayers int    `yaml:"freeze-layers" help:"lowest layers of the encoder, with the embeddings, that are not trained"`

	Batch      int `yaml:"batch" help:"pairs of a batch"`
	Accumulate int `yaml:"accumulate" help:"batches whose gradients are averaged for one step"`
	Epochs     int `yaml:"epochs" help:"times that the training pairs are read"`
	MaxSteps   int `yaml:"max-steps" help:"steps after which to stop; 0 is no limit"`
	// EvalSteps 0 validates four times an epoch.
	EvalSteps       int `yaml:"eval-steps" help:"steps between two validations; 0 is a quarter of an epoch"`
	CheckpointSteps int `yaml:"checkpoint-steps" help:"steps between two checkpoints; 0 is at every validation"`
	KeepCheckpoints int `yaml:"keep-checkpoints" help:"newest checkpoints to keep beside best"`
	Patience        int `yaml:"patience" help:"validations without a lower loss after which to stop; 0 never"`
	ShuffleRows     int `yaml:"shuffle-rows" help:"pairs in the buffer that pairs are drawn from at random"`

	LearningRate       float64 `yaml:"learning-rate" help:"learning rate of AdamW"`
	WeightDecay        float64 `yaml:"weight-decay" help:"weight decay of AdamW"`
	Schedule           string  `yaml:"schedule" help:"learning rate over the steps: constant, or linear to 0"`
	WarmupSteps        int     `yaml:"warmup-steps" help:"steps over which the learning rate rises to its value"`
	ClipNorm           float64 `yaml:"clip-norm" help:"largest norm of all gradients together; 0 does not clip"`
	RankingWarmupSteps int     `yaml:"ranking-warmup-steps" help:"steps before the ranking loss starts"`
	Alpha              string  `yaml:"alpha" help:"domain-balanced factor of the focal loss: auto is the share of different domains among the training pairs"`
}

// Default is the paper's training.
func Default() Config {
	return Config{
		Run: "default", Pairs: "default", Encoder: Tiny, Network: dssd.Default(), Seeds: []string{"1"}, Device: "cpu", Precision: "float32",
		MaxTokens: 128, Batch: 64, Accumulate: 1, Epochs: 3, KeepCheckpoints: 2, Patience: 5, ShuffleRows: 8192,
		LearningRate: 2e-5, WeightDecay: 5e-4, Schedule: "constant", Alpha: "auto",
	}
}

// Validate checks the settings.
func (c Config) Validate() error {
	if err := c.Network.Validate(); err != nil {
		return err
	}
	if _, err := torch.ParseDevice(c.Device); err != nil {
		return err
	}
	if _, err := c.seeds(); err != nil {
		return err
	}
	if _, _, err := c.alpha(); err != nil {
		return err
	}
	for name, value := range map[string]string{"run": c.Run, "pairs": c.Pairs} {
		if value == "" || value != filepath.Base(value) || value[0] == '.' {
			return fault.New(fault.Usage, "--%s %q must be the name of a folder, without slashes", name, value)
		}
	}
	for name, value := range map[string]int{
		"batch": c.Batch, "accumulate": c.Accumulate, "epochs": c.Epochs, "keep-checkpoints": c.KeepCheckpoints, "shuffle-rows": c.ShuffleRows,
	} {
		if value < 1 {
			return fault.New(fault.Usage, "--%s %d must be at least 1", name, value)
		}
	}
	for name, value := range map[string]float64{
		"threads": float64(c.Threads), "freeze-layers": float64(c.FreezeLayers), "max-steps": float64(c.MaxSteps), "eval-steps": float64(c.EvalSteps),
		"checkpoint-steps": float64(c.CheckpointSteps), "patience": float64(c.Patience), "weight-decay": c.WeightDecay,
		"warmup-steps": float64(c.WarmupSteps), "clip-norm": c.ClipNorm, "ranking-warmup-steps": float64(c.RankingWarmupSteps),
	} {
		if value < 0 {
			return fault.New(fault.Usage, "--%s %g must not be negative", name, value)
		}
	}
	switch {
	case c.MaxTokens < 8:
		return fault.New(fault.Usage, "--max-tokens %d must be at least 8", c.MaxTokens)
	case !(c.LearningRate > 0):
		return fault.New(fault.Usage, "--learning-rate %g must be positive", c.LearningRate)
	case !slices.Contains([]string{"float32", "bfloat16"}, c.Precision):
		return fault.New(fault.Usage, "--precision %q: known are float32 and bfloat16", c.Precision)
	case !slices.Contains([]string{"constant", "linear"}, c.Schedule):
		return fault.New(fault.Usage, "--schedule %q: known are constant and linear", c.Schedule)
	case c.Encoder == "":
		return fault.New(fault.Usage, "--encoder is missing: give the folder of a BERT model, an id of the Hugging Face hub, or tiny")
	}
	return nil
}

func (c Config) seeds() ([]uint64, error) {
	var seeds []uint64
	for _, text := range c.Seeds {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || slices.Contains(seeds, n) {
			return nil, fault.New(fault.Usage, "--seeds %v: want different whole numbers from 0", c.Seeds)
		}
		seeds = append(seeds, n)
	}
	if len(seeds) == 0 {
		return nil, fault.New(fault.Usage, "--seeds is empty: want at least one number")
	}
	return seeds, nil
}

// alpha is the setting as a number; auto is true when the pairs decide.
func (c Config) alpha() (value float64, auto bool, err error) {
	if c.Alpha == "auto" {
		return 0, true, nil
	}
	value, err = strconv.ParseFloat(c.Alpha, 64)
	if err != nil || !(value >= 0 && value <= 1) {
		return 0, false, fault.New(fault.Usage, "--alpha %q: want auto or a number from 0 to 1", c.Alpha)
	}
	return value, false, nil
}

// identity are the settings that the numbers of a run depend on: a checkpoint goes on only with the same.
func (c Config) identity() map[string]any {
	return map[string]any{
		"encoder": c.Encoder, "init": c.Init, "network": c.Network, "precision": c.Precision, "max-tokens": c.MaxTokens, "freeze-layers": c.FreezeLayers,
		"batch": c.Batch, "accumulate": c.Accumulate, "shuffle-rows": c.ShuffleRows, "learning-rate": c.LearningRate,
		"weight-decay": c.WeightDecay, "schedule": c.Schedule, "warmup-steps": c.WarmupSteps, "clip-norm": c.ClipNorm,
		"ranking-warmup-steps": c.RankingWarmupSteps, "alpha": c.Alpha,
	}
}

// folder is where the run of a seed lies.
func (c Config) folder(seed uint64) string {
	dir := filepath.Join(string(c.Workspace), "checkpoints", c.Run)
	if len(c.Seeds) > 1 {
		return filepath.Join(dir, fmt.Sprintf("seed-%d", seed))
	}
	return dir
}

func (c Config) pairsDir() string { return filepath.Join(string(c.Workspace), "pairs", c.Pairs) }

// rate is the learning rate of a step, counted from 0, of a run of total steps.
func (c Config) rate(step, total int) float64 {
	r := c.LearningRate
	switch {
	case step < c.WarmupSteps:
		return r * float64(step+1) / float64(c.WarmupSteps)
	case c.Schedule == "linear":
		return r * float64(total-step) / float64(max(1, total-c.WarmupSteps))
	}
	return r
}
