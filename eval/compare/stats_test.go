package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// TestExactByHand: of n differences of one sign only the two extreme swaps are as large.
func TestExactByHand(t *testing.T) {
	for name, test := range map[string]struct {
		differences []float64
		want        float64
	}{
		"none":      {nil, 1},
		"no change": {[]float64{0, 0, 0}, 1},
		"one":       {[]float64{0, 0.3}, 1},
		"five up":   {[]float64{.1, .2, .3, .4, .5}, 2.0 / 32},
		"six down":  {[]float64{-.1, -.1, -.1, -.1, -.1, -.1, 0}, 2.0 / 64},
		"one back":  {[]float64{1, 1, 1, -1}, 10.0 / 16}, // sums of 4 signs of size 2 or more: 4+4 and 1+1
		"balanced":  {[]float64{.5, -.5}, 1},
	} {
		if p, exact := randomization(test.differences, 100, random()); p != test.want || !exact {
			t.Errorf("%s: p is %v, exact %v, want %v", name, p, exact, test.want)
		}
	}
}

// TestSampledAgreesWithExact compares the two ways on differences that both can do.
func TestSampledAgreesWithExact(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 10 {
		var d []float64
		for range 18 {
			d = append(d, 0.3+r.NormFloat64())
		}
		exact, _ := randomization(d, 0, r)
		as, samples := 0, 20_000
		for range samples {
			if math.Abs(swapped(d, r)) >= math.Abs(sum(d))-1e-12 {
				as++
			}
		}
		if sampled := float64(as) / float64(samples); math.Abs(sampled-exact) > 0.015 {
			t.Errorf("p is %v by samples and %v by all swaps", sampled, exact)
		}
	}
}

// TestPIsRightUnderTheNull: of differences around 0, about one in ten has p < 0.1, exact and sampled.
func TestPIsRightUnderTheNull(t *testing.T) {
	for _, n := range []int{10, 40} {
		r := rand.New(rand.NewPCG(9, uint64(n)))
		small, trials := 0, 600
		for range trials {
			var d []float64
			for range n {
				d = append(d, r.NormFloat64())
			}
			if p, _ := randomization(d, 400, r); p < 0.1 {
				small++
			}
		}
		if share := float64(small) / float64(trials); share < 0.06 || share > 0.14 {
			t.Errorf("%d topics: p < 0.1 in %v of the trials", n, share)
		}
	}
}

func TestSampledIsNeverZeroAndFindsADifference(t *testing.T) {
	d := slices.Repeat([]float64{.1, .2, .15}, 20)
	if p, exact := randomization(d, 999, random()); p != 1.0/1000 || exact {
		t.Errorf("p is %v, exact %v", p, exact)
	}
}

func TestRandomizationIsSymmetric(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 12).Draw(rt, "d")
		var negated []float64
		for _, v := range d {
			negated = append(negated, -v)
		}
		a, _ := randomization(d, 100, random())
		b, _ := randomization(rapid.Permutation(negated).Draw(rt, "turned"), 100, random())
		if math.Abs(a-b) > 1e-9 || a <= 0 || a > 1 {
			rt.Fatalf("p is %v and %v", a, b)
		}
	})
}

// TestIntervalCovers: the interval of the mean of normal differences is about ± 1.96 standard errors.
func TestIntervalCovers(t *testing.T) {
	r := random()
	var d []float64
	for range 400 {
		d = append(d, 0.5+r.NormFloat64())
	}
	low, high := interval(d, 0.95, 4000, r)
	mean := sum(d) / 400
	if want := 1.96 / 20; math.Abs(mean-low-want) > 0.02 || math.Abs(high-mean-want) > 0.02 {
		t.Errorf("the interval is %v to %v around %v, want ± %v", low, high, mean, want)
	}
	if low, high := interval([]float64{.25, .25}, 0.95, 100, r); low != .25 || high != .25 {
		t.Errorf("of equal differences it is %v to %v", low, high)
	}
}

func TestHolm(t *testing.T) {
	got := holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("holm is %v, number %d should be %v", got, i, want)
		}
	}
	if got := holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("holm is %v", got)
	}
	if got := holm(nil); len(got) != 0 {
		t.Errorf("holm of nothing is %v", got)
	}
}
