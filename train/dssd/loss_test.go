package dssd

import (
	"math"
	"strings"
	"testing"

	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

var ln3 = float32(math.Log(3)) // sigmoid(ln 3) = 3/4

func near(t *testing.T, what string, got *torch.Tensor, want float64) {
	t.Helper()
	if v := got.Item(); !(math.Abs(v-want) < 1e-6) {
		t.Errorf("%s = %v, want %v", what, v, want)
	}
}

func vector(s *torch.Session, values ...float32) *torch.Tensor {
	return torch.Of(s, values, len(values))
}

func matrix(s *torch.Session, columns int, values ...float32) *torch.Tensor {
	return torch.Of(s, values, len(values)/columns, columns)
}

func TestCrossEntropy(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		// -log 1/2 and -log(1 - 3/4).
		near(t, "mean", crossEntropy(vector(s, 0, ln3), vector(s, 1, 0)), (math.Ln2+2*math.Ln2)/2)
		near(t, "sure and right", crossEntropy(vector(s, 1000, -1000), vector(s, 1, 0)), 0)
		near(t, "sure and wrong", crossEntropy(vector(s, 1000), vector(s, 0)), 1000)
		return nil
	})
}

func TestOrthogonal(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		// Centred: [[-1 -1] [1 1]] and [[-1 2] [1 -2]]. C = [[2 -4] [2 -4]] / 2, so the mean square is (1+4+1+4)/4.
		near(t, "worked example", orthogonal(matrix(s, 2, 1, 0, 3, 2), matrix(s, 2, 0, 4, 2, 0)), 2.5)
		near(t, "uncorrelated", orthogonal(matrix(s, 1, 1, -1, 1, -1), matrix(s, 1, 1, 1, -1, -1)), 0)
		near(t, "a batch of one", orthogonal(matrix(s, 2, 5, 6), matrix(s, 2, 7, 8)), 0)
		return nil
	})
}

func TestComplementary(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		es := matrix(s, 2, 1, 2, 0, 0).RequireGrad(true)
		loss := complementary(es, matrix(s, 2, 1, 0, 0, 0), matrix(s, 2, 1, 1, 0, 0))
		near(t, "differences 1, -1, 0, 0", loss, 0.5)
		loss.Backward()
		if g := torch.Values[float32](es.Grad()); g[0] != -0.5 || g[1] != 0.5 {
			t.Errorf("gradient of e_s: %v, want -2 * difference / 4", g)
		}
		return nil
	})
}

func TestFocal(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		zero, one := vector(s, 0), vector(s, 1)
		// At t^ = 1/2: alpha * (1/2)^gamma * log 2.
		near(t, "same domain", focal(zero, one, 0.25, 2), 0.25*0.25*math.Ln2)
		near(t, "other domain", focal(zero, zero, 0.25, 2), 0.75*0.25*math.Ln2)
		// t^ = 3/4: (1/4)^2 * log 4/3, and (3/4)^2 * log 4.
		near(t, "easy", focal(vector(s, ln3), one, 0.5, 2), 0.5/16*math.Log(4.0/3))
		near(t, "hard", focal(vector(s, ln3), zero, 0.5, 2), 0.5*9/16*math.Log(4))
		z, y := vector(s, 1, -2, 0.5), vector(s, 1, 0, 0)
		near(t, "gamma 0 and alpha 1/2 are half the cross-entropy", focal(z, y, 0.5, 0), crossEntropy(z, y).Item()/2)
		near(t, "alpha 1 sees t = 1 only", focal(vector(s, 0, 7), vector(s, 1, 0), 1, 2), 0.25*math.Ln2/2)
		near(t, "alpha 0 sees t = 0 only", focal(vector(s, 0, 0), vector(s, 1, 0), 0, 2), 0.25*math.Ln2/2)
		near(t, "sure and wrong", focal(vector(s, -200), one, 0.5, 2), 100)
		near(t, "sure and right", focal(vector(s, 200), one, 0.5, 2), 0)
		extreme := vector(s, -200, 200).RequireGrad(true)
		focal(extreme, vector(s, 1, 1), 0.5, 0.5).Backward()
		for i, g := range torch.Values[float32](extreme.Grad()) {
			if math.IsNaN(float64(g)) || math.IsInf(float64(g), 0) {
				t.Errorf("gradient[%d] = %v", i, g)
			}
		}
		return nil
	})
}

func TestRanking(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		// Probabilities: 1/2 | 3/4, 1/4.
		z := vector(s, 0, ln3, -ln3)
		near(t, "the hardest negative", ranking(s, z, []int64{0}, []int64{1, 2}, 1, 0.5), 0.75)
		near(t, "both", ranking(s, z, []int64{0}, []int64{1, 2}, 2, 0.5), (0.75+0.25)/2)
		near(t, "k above the negatives", ranking(s, z, []int64{0}, []int64{1, 2}, 10, 0.5), (0.75+0.25)/2)
		near(t, "equal scores", ranking(s, vector(s, 0, 0, 0, 0), []int64{0, 1}, []int64{2, 3}, 8, 0.5), 0.5)
		// The first positive is at 1, exactly the margin above 1/2: no valid term. The second is at 1/2.
		near(t, "margin at the edge", ranking(s, vector(s, 200, 0, 0), []int64{0, 1}, []int64{2}, 1, 0.5), 0.5)
		near(t, "none is short", ranking(s, vector(s, 200, -200), []int64{0}, []int64{1}, 1, 0.5), 0)
		if ranking(s, z, nil, []int64{0, 1, 2}, 1, 0.5) != nil || ranking(s, z, []int64{0, 1, 2}, nil, 1, 0.5) != nil {
			t.Error("a batch of one label has a ranking loss")
		}
		return nil
	})
}

func TestRankingGradientPushesPairsApart(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		z := vector(s, 0, 0, -3).RequireGrad(true)
		ranking(s, z, []int64{0}, []int64{1, 2}, 1, 0.5).Backward()
		// d sigmoid(0) = 1/4; the easy negative is out of H.
		if g := torch.Values[float32](z.Grad()); g[0] != -0.25 || g[1] != 0.25 || g[2] != 0 {
			t.Errorf("gradient %v", g)
		}
		return nil
	})
}

func TestLabels(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		l, err := NewLabels(s, []int8{1, 0, 0}, []int8{0, 1, 0})
		if err != nil {
			return err
		}
		if len(l.positives) != 1 || len(l.negatives) != 2 || l.negatives[1] != 2 {
			t.Errorf("positives %v, negatives %v", l.positives, l.negatives)
		}
		for _, bad := range [][2][]int8{{{2}, {0}}, {{-1}, {0}}, {{1}, {3}}} {
			if _, err := NewLabels(s, bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), "must be 0 or 1") {
				t.Errorf("labels %v say %v", bad, err)
			}
		}
		if _, err := NewLabels(s, []int8{1}, nil); err == nil {
			t.Error("labels of two lengths were accepted")
		}
		return nil
	})
}

func TestTermsOfTheModels(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		s.Seed(1)
		e := s.Zeros(4, 16).Normal(0, 1)
		labels, err := NewLabels(s, []int8{1, 0, 1, 0}, []int8{1, 1, 0, 0})
		if err != nil {
			return err
		}
		for model, want := range map[string]string{
			BERT: "mr", DSSD: "ds di orth rec t", DSSDMR: "ds di orth rec t mr", DSSDNet: "ds di orth rec t mr pr",
		} {
			c := Default()
			c.Model = model
			m, err := New(s, c, 16)
			if err != nil {
				return err
			}
			loss := m.Loss(m.Forward(e, labels.Domain), labels, 0.5, true)
			var names []string
			sum := 0.0
			for _, term := range loss.Terms {
				names = append(names, term.Name)
				sum += term.Value.Item()
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("%s has the terms %q, want %q", model, got, want)
			}
			near(t, model+": total", loss.Total, sum)
			if early := m.Loss(m.Forward(e, labels.Domain), labels, 0.5, false); model == DSSDNet && len(early.Terms) != 6 {
				t.Errorf("before the ranking loss starts there are %d terms", len(early.Terms))
			}
		}
		return nil
	})
}

func TestWeights(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		labels, err := NewLabels(s, []int8{1, 0}, []int8{1, 0})
		if err != nil {
			return err
		}
		c := Default()
		c.WeightInformative, c.WeightOrthogonal, c.WeightComplementary, c.WeightDomain, c.WeightRelevance, c.WeightRanking = 2, 0, 3, 0, 0, 5
		m, err := New(s, c, 8)
		if err != nil {
			return err
		}
		loss := m.Loss(m.Forward(s.Zeros(2, 8).Normal(0, 1), labels.Domain), labels, 0.5, true)
		want := 0.0
		for _, term := range loss.Terms {
			want += term.Value.Item() * map[string]float64{TermDS: 2, TermDI: 2, TermComplementary: 3, TermRanking: 5}[term.Name]
		}
		near(t, "total", loss.Total, want)
		return nil
	})
}
