package synth

import "math/bits"

// purpose keeps the random streams of one number apart: the dates of patent 7 do not move when its title changes.
type purpose uint64

const (
	forPermutation purpose = iota + 1
	forPatent
	forDivision
	forGrant
	forSubclasses
	forCitations
	forConcepts
	forVoice
	forTitle
	forAbstract
	forDescription
	forClaims
	forIPC
	forParties
	forWords
	forRareWords
	forTopics
	forHazards
)

// random is a splitmix64 stream. It uses whole numbers only, so a seed gives the same collection on every machine.
type random struct{ state uint64 }

// draw starts the stream of a purpose and a number; it depends on nothing else.
func draw(seed int64, p purpose, n uint64) random {
	return random{mix(mix(uint64(seed)+uint64(p)*0x9e3779b97f4a7c15) + n*0xd1342543de82ef95)}
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// below returns a number of [0, n).
func (r *random) below(n int) int {
	high, _ := bits.Mul64(r.next(), uint64(n))
	return int(high)
}

// between returns a number of [low, high].
func (r *random) between(low, high int) int { return low + r.below(high-low+1) }

// chance is true with probability p. It draws exactly once, whatever p is.
func (r *random) chance(p float64) bool { return float64(r.next()>>11) < p*(1<<53) }
