package dssd

import (
	"slices"
	"strings"

	"dssdnet/internal/fault"
)

// The models: the network and its ablations, each with the losses of all before it.
const (
	BERT    = "bert"     // plain cross-encoder: one head on e
	DSSD    = "ds_sd"    // gate, split and formula (11); the score is the mean of the two heads
	DSSDMR  = "ds_sd_mr" // and multi-field fusion regression, formula (12)
	DSSDNet = "dssdnet"  // and pairwise ranking, formula (14)
)

// Models are the names of all models.
var Models = []string{BERT, DSSD, DSSDMR, DSSDNet}

// Config is the network's form and its losses.
type Config struct {
	Model        string  `json:"model" yaml:"model" help:"model: dssdnet, or an ablation: ds_sd_mr, ds_sd, bert"`
	HeadLayers   int     `json:"head_layers" yaml:"head-layers" help:"linear layers of a head, their sizes falling evenly from the encoder's width to 2"`
	FusionLayers int     `json:"fusion_layers" yaml:"fusion-layers" help:"linear layers of the fusion regression"`
	Dropout      float64 `json:"dropout" yaml:"dropout" help:"dropout in the network above the encoder"`

	Gamma         float64 `json:"gamma" yaml:"gamma" help:"focal factor of the domain loss"`
	HardNegatives int     `json:"hard_negatives" yaml:"hard-negatives" help:"negatives of a batch with the highest scores that the ranking loss sees"`
	Margin        float64 `json:"margin" yaml:"margin" help:"margin of the ranking loss, between probabilities"`

	WeightInformative   float64 `json:"weight_informative" yaml:"weight-informative" help:"weight of the informative losses, formula (7)"`
	WeightOrthogonal    float64 `json:"weight_orthogonal" yaml:"weight-orthogonal" help:"weight of the orthogonality loss, formula (8)"`
	WeightComplementary float64 `json:"weight_complementary" yaml:"weight-complementary" help:"weight of the reconstruction loss, formula (9)"`
	WeightDomain        float64 `json:"weight_domain" yaml:"weight-domain" help:"weight of the domain loss, formula (10)"`
	WeightRelevance     float64 `json:"weight_relevance" yaml:"weight-relevance" help:"weight of the relevance loss, formula (12)"`
	WeightRanking       float64 `json:"weight_ranking" yaml:"weight-ranking" help:"weight of the ranking loss, formula (14)"`
}

// Default is the paper's network; where the paper is silent, docs/paper.md says why.
func Default() Config {
	return Config{
		Model: DSSDNet, HeadLayers: 4, FusionLayers: 4, Dropout: 0.1, Gamma: 2, HardNegatives: 8, Margin: 0.5,
		WeightInformative: 1, WeightOrthogonal: 1, WeightComplementary: 1, WeightDomain: 1, WeightRelevance: 1, WeightRanking: 1,
	}
}

// Validate checks the settings.
func (c Config) Validate() error {
	switch {
	case !slices.Contains(Models, c.Model):
		return fault.New(fault.Usage, "model %q: known are %s", c.Model, strings.Join(Models, ", "))
	case c.HeadLayers < 1 || c.FusionLayers < 1:
		return fault.New(fault.Usage, "head-layers %d and fusion-layers %d must be at least 1", c.HeadLayers, c.FusionLayers)
	case c.Dropout < 0 || c.Dropout >= 1:
		return fault.New(fault.Usage, "dropout %g must be in [0, 1)", c.Dropout)
	case c.Gamma < 0:
		return fault.New(fault.Usage, "gamma %g must not be negative", c.Gamma)
	case c.HardNegatives < 1:
		return fault.New(fault.Usage, "hard-negatives %d must be at least 1", c.HardNegatives)
	case c.Margin <= 0:
		return fault.New(fault.Usage, "margin %g must be positive", c.Margin)
	}
	for _, w := range []float64{c.WeightInformative, c.WeightOrthogonal, c.WeightComplementary, c.WeightDomain, c.WeightRelevance, c.WeightRanking} {
		if w < 0 {
			return fault.New(fault.Usage, "a loss has the weight %g: weights must not be negative", w)
		}
	}
	return nil
}

func (c Config) decomposes() bool { return c.Model != BERT }
func (c Config) fuses() bool      { return c.Model == DSSDMR || c.Model == DSSDNet }
func (c Config) ranks() bool      { return c.Model == DSSDNet }
