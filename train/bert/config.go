package bert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
)

// Config is the part of a config.json that says how the encoder computes.
type Config struct {
	ModelType        string  `json:"model_type"`
	VocabSize        int     `json:"vocab_size"`
	HiddenSize       int     `json:"hidden_size"`
	Layers           int     `json:"num_hidden_layers"`
	Heads            int     `json:"num_attention_heads"`
	IntermediateSize int     `json:"intermediate_size"`
	Activation       string  `json:"hidden_act"`
	MaxPositions     int     `json:"max_position_embeddings"`
	TypeVocabSize    int     `json:"type_vocab_size"`
	LayerNormEps     float64 `json:"layer_norm_eps"`
	HiddenDropout    float64 `json:"hidden_dropout_prob"`
	AttentionDropout float64 `json:"attention_probs_dropout_prob"`
	InitializerRange float64 `json:"initializer_range"`
	Positions        string  `json:"position_embedding_type"`
	PadToken         int     `json:"pad_token_id"`
}

// Default is bert-base-uncased: what a config.json leaves out.
func Default() Config {
	return Config{
		ModelType: "bert", VocabSize: 30522, HiddenSize: 768, Layers: 12, Heads: 12, IntermediateSize: 3072,
		Activation: "gelu", MaxPositions: 512, TypeVocabSize: 2, LayerNormEps: 1e-12, HiddenDropout: 0.1,
		AttentionDropout: 0.1, InitializerRange: 0.02, Positions: "absolute",
	}
}

// Tiny is a small encoder to start from random numbers, for machines without any model.
func Tiny(vocabSize int) Config {
	c := Default()
	c.VocabSize, c.HiddenSize, c.Layers, c.Heads, c.IntermediateSize, c.MaxPositions = vocabSize, 64, 2, 4, 256, 512
	return c
}

// ReadConfig reads the config.json of a model's folder.
func ReadConfig(dir string) (Config, error) {
	path := filepath.Join(dir, "config.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("read the encoder: %w", err)
	}
	c := Default()
	if err := json.Unmarshal(data, &c); err != nil {
		return Config{}, fault.New(fault.Rejected, "%s: %w", path, err)
	}
	if err := c.Validate(); err != nil {
		return Config{}, fault.New(fault.Rejected, "%s: %w", path, err)
	}
	return c, nil
}

// Validate refuses what this package would compute wrongly.
func (c Config) Validate() error {
	switch {
	case c.ModelType != "bert":
		return fmt.Errorf("model_type is %q: only \"bert\" is known", c.ModelType)
	case c.Positions != "absolute":
		return fmt.Errorf("position_embedding_type is %q: only \"absolute\" is known", c.Positions)
	case activations[c.Activation] == nil:
		return fmt.Errorf("hidden_act is %q: known are gelu, gelu_new, gelu_pytorch_tanh, relu, silu and tanh", c.Activation)
	case c.VocabSize < 1 || c.HiddenSize < 1 || c.Layers < 1 || c.Heads < 1 || c.IntermediateSize < 1 || c.MaxPositions < 1 || c.TypeVocabSize < 1:
		return fmt.Errorf("a size is not positive: %+v", c)
	case c.HiddenSize%c.Heads != 0:
		return fmt.Errorf("%d attention heads do not divide the hidden size %d", c.Heads, c.HiddenSize)
	case c.HiddenDropout < 0 || c.HiddenDropout >= 1 || c.AttentionDropout < 0 || c.AttentionDropout >= 1:
		return fmt.Errorf("dropout %g and %g must be in [0, 1)", c.HiddenDropout, c.AttentionDropout)
	}
	return nil
}
