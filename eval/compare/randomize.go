package compare

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// exactTopics is up to how many differing topics all swaps are tried: 2^20 of them.
const exactTopics = 20

// tolerance is how much two sums of the same differences in another order can be apart, relative to their size.
const tolerance = 1e-12

// randomization returns the two-sided p-value of the differences under random swaps, and whether all swaps were tried.
// Of samples swaps the observed one is an extra, so that p is never 0.
func randomization(differences []float64, samples int, random *rand.Rand) (p float64, exact bool) {
	var moved []float64
	size := 0.0
	for _, d := range differences {
		if d != 0 {
			moved = append(moved, d)
			size += math.Abs(d)
		}
	}
	if len(moved) == 0 {
		return 1, true
	}
	observed := math.Abs(sum(moved)) - tolerance*size
	if len(moved) <= exactTopics {
		return exactP(moved, observed), true
	}
	as := 0
	for range samples {
		if math.Abs(swapped(moved, random)) >= observed {
			as++
		}
	}
	return float64(as+1) / float64(samples+1), false
}

// exactP walks through all swaps in Gray code, one swap a step.
func exactP(moved []float64, observed float64) float64 {
	total := sum(moved)
	as, all := 0, 1<<len(moved)
	swappedNow := 0
	for step := range all {
		if step > 0 {
			bit := bits.TrailingZeros(uint(step))
			if swappedNow ^= 1 << bit; swappedNow&(1<<bit) != 0 {
				total -= 2 * moved[bit]
			} else {
				total += 2 * moved[bit]
			}
		}
		if math.Abs(total) >= observed {
			as++
		}
	}
	return float64(as) / float64(all)
}

// swapped is the sum of the differences, each with a random sign.
func swapped(moved []float64, random *rand.Rand) float64 {
	total := 0.0
	var coins uint64
	for i, d := range moved {
		if i%64 == 0 {
			coins = random.Uint64()
		}
		// The coin becomes the sign bit: no branch to mispredict.
		total += math.Float64frombits(math.Float64bits(d) ^ coins<<63)
		coins >>= 1
	}
	return total
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
