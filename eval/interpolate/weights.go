package interpolate

import (
	"encoding/json"
	"os"

	"dssdnet/internal/fault"
)

// weights is what is read of the file that eval weigh leaves.
type weights struct {
	Pool   string `json:"pool"`
	Scale  string `json:"scale"`
	Depth  int    `json:"depth"`
	Chosen *struct {
		Weight float64 `json:"weight"`
	} `json:"chosen"`
}

// weighed is the call with the weight that was chosen, and how it was mixed then.
func (c Config) weighed() (Config, error) {
	if c.Weights == "" {
		return c, nil
	}
	data, err := os.ReadFile(c.Weights)
	if err != nil {
		return c, fault.New(fault.Rejected, "the weights cannot be read: %w: choose them with dssdnet eval weigh", err)
	}
	var w weights
	if err := json.Unmarshal(data, &w); err != nil {
		return c, fault.New(fault.Rejected, "weights %s: %w: is it the weights.json of dssdnet eval weigh?", c.Weights, err)
	}
	switch {
	case w.Chosen == nil:
		return c, fault.New(fault.Rejected, "weights %s name no chosen weight: is it the weights.json of dssdnet eval weigh?", c.Weights)
	case c.Pool != "" && w.Pool != c.Pool:
		return c, fault.New(fault.Rejected, "weights %s were chosen beside pool %s, not %s: choose them anew", c.Weights, w.Pool, c.Pool)
	}
	c.Weight, c.Scale, c.Depth, c.Weights = w.Chosen.Weight, w.Scale, w.Depth, ""
	return c, c.Validate()
}
