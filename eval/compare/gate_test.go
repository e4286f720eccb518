package compare

import (
	"strings"
	"testing"

	"dssdnet/internal/fault"
)

func TestGate(t *testing.T) {
	rule := Gate{Measure: "PRES@100", Alpha: 0.05, MaxLoss: 0.02}
	for name, test := range map[string]struct {
		difference, p float64
		gain          bool
		passed        bool
		says          string
	}{
		"a significant loss, however small":    {-0.001, 0.01, false, false, "a significant loss at alpha 0.05"},
		"a small loss that is not significant": {-0.01, 0.3, false, true, "no significant loss"},
		"a large loss that is not significant": {-0.03, 0.3, false, false, "more than the 0.02"},
		"no difference":                        {0, 1, false, true, "no significant loss"},
		"a gain":                               {0.05, 0.01, false, true, "a significant gain"},
		"a gain is required":                   {0.05, 0.01, true, true, "a significant gain"},
		"a gain that is not significant":       {0.05, 0.2, true, false, "no significant gain"},
	} {
		rule.RequireGain = test.gain
		passed, reason := rule.Decide(0.4+test.difference, 0.4, Test{Topics: 50, Difference: test.difference, P: test.p, Low: -0.1, High: 0.1}, 0.95)
		if passed != test.passed || !strings.Contains(reason, test.says) {
			t.Errorf("%s: %v, %s", name, passed, reason)
		}
		if !strings.Contains(reason, "that of the current model 0.4000") || !strings.Contains(reason, "50 topics") {
			t.Errorf("%s: the reason lacks figures: %s", name, reason)
		}
	}
	for _, wrong := range []Gate{{Measure: "x", Alpha: 0.05}, {Measure: "AP", Alpha: 0}, {Measure: "AP", Alpha: 0.05, MaxLoss: 2}} {
		if err := wrong.Validate(); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}
