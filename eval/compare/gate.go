package compare

import (
	"fmt"
	"math"

	"dssdnet/eval/measure"
	"dssdnet/internal/fault"
)

// Gate is the rule by which a model may take the place of another: no significant loss on one measure.
type Gate struct {
	Measure     string  `json:"measure"`
	Alpha       float64 `json:"alpha"`        // p-value under which a difference is significant
	MaxLoss     float64 `json:"max_loss"`     // largest loss that is accepted although it is not significant
	RequireGain bool    `json:"require_gain"` // only a significant gain will do
}

// Validate says what is wrong with the rule, in the words of the flags.
func (g Gate) Validate() error {
	if _, err := measure.Parse(g.Measure); err != nil {
		return fault.New(fault.Usage, "--measure: %w", err)
	}
	switch {
	case !(g.Alpha > 0 && g.Alpha < 1):
		return fault.New(fault.Usage, "--alpha is %v, must lie between 0 and 1", g.Alpha)
	case !(g.MaxLoss >= 0 && g.MaxLoss <= 1):
		return fault.New(fault.Usage, "--max-loss is %v, must lie between 0 and 1", g.MaxLoss)
	}
	return nil
}

// Decide applies the rule to a candidate's test against the baseline. reason is a sentence for people that names
// the figures and, for a refusal, the rule that was broken.
func (g Gate) Decide(candidate, baseline float64, t Test, confidence float64) (passed bool, reason string) {
	significant := t.P < g.Alpha
	figures := fmt.Sprintf("%s is %.4f, that of the current model %.4f: difference %+.4f (p %s, %.0f %% interval %+.4f to %+.4f, %d topics)",
		g.Measure, candidate, baseline, t.Difference, PValue(t.P), 100*confidence, t.Low, t.High, t.Topics)
	switch {
	case t.Difference < 0 && significant:
		return false, fmt.Sprintf("%s, a significant loss at alpha %v", figures, g.Alpha)
	case -t.Difference > g.MaxLoss:
		return false, fmt.Sprintf("%s, a loss of more than the %v that is accepted when it is not significant", figures, g.MaxLoss)
	case g.RequireGain && !(t.Difference > 0 && significant):
		return false, fmt.Sprintf("%s, no significant gain at alpha %v, and one is required", figures, g.Alpha)
	case math.Abs(t.Difference) > 0 && significant:
		return true, figures + ", a significant gain"
	}
	return true, figures + ", no significant loss"
}
