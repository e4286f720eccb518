package dssd

import (
	"testing"

	"dssdnet/internal/fault"
)

func TestValidate(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*Config){
		"model":  func(c *Config) { c.Model = "gpt" },
		"layers": func(c *Config) { c.HeadLayers = 0 },
		"drop":   func(c *Config) { c.Dropout = 1 },
		"gamma":  func(c *Config) { c.Gamma = -1 },
		"k":      func(c *Config) { c.HardNegatives = 0 },
		"margin": func(c *Config) { c.Margin = 0 },
		"weight": func(c *Config) { c.WeightRanking = -1 },
	} {
		c := Default()
		change(&c)
		if err := c.Validate(); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}
