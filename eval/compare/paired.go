package compare

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"

	"golang.org/x/sync/errgroup"

	"dssdnet/eval"
)

// same is how far values of a topic can be apart and yet be a tie.
const same = 1e-9

// test compares every system with the baseline on every measure, on all cores.
func (c Config) test(ctx context.Context, e *eval.Evaluation, all []system, base int) ([][]*Test, error) {
	tests := make([][]*Test, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for s := range all {
		tests[s] = make([]*Test, len(e.Measures))
		if s == base {
			continue
		}
		for m := range e.Measures {
			group.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				tests[s][m] = c.pair(all[base].values(m), all[s].values(m), all[s].name+" "+e.Measures[m].String())
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for m := range e.Measures {
		correct(tests, m)
	}
	return tests, nil
}

// correct fills in Holm's correction over the systems.
func correct(tests [][]*Test, measure int) {
	var family []*Test
	var p []float64
	for s := range tests {
		if t := tests[s][measure]; t != nil {
			family, p = append(family, t), append(p, t.P)
		}
	}
	for i, corrected := range holm(p) {
		family[i].Holm = corrected
	}
}

// pair tests one system on one measure. label makes its random numbers its own.
func (c Config) pair(baseline, values []float64, label string) *Test {
	t := &Test{}
	var differences []float64
	for i := range values {
		d := values[i] - baseline[i]
		switch {
		case math.IsNaN(d):
			continue
		case math.Abs(d) <= same:
			d = 0
			t.Ties++
		case d > 0:
			t.Wins++
		default:
			t.Losses++
		}
		differences = append(differences, d)
	}
	t.Topics = len(differences)
	if t.Topics == 0 {
		t.P = 1
		return t
	}
	t.Difference = sum(differences) / float64(t.Topics)
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(label)) // never fails
	random := rand.New(rand.NewPCG(uint64(c.Seed), hash.Sum64()))
	t.P, t.Exact = randomization(differences, c.Samples, random)
	t.Low, t.High = interval(differences, c.Confidence, c.Resamples, random)
	return t
}
