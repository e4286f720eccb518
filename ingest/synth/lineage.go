package synth

import "math/bits"

// A theme is a small group of patents about one invention. Themes form a tree: the patents of an epoch, [2^g,
// 2^(g+1)), fall into themes of four, and a theme of one epoch splits into two themes of the next. So a patent
// has four relatives in each earlier epoch, their likeness falls with the distance, and all of them can be named
// without a list: a keyed permutation of the epoch's numbers leads from number to theme and back.

const (
	seatBits   = 2 // patents of one theme in one epoch, as a power of two
	seats      = 1 << seatBits
	axisBits   = 32
	firstEpoch = 3 // older epochs have too few patents to be anyone's relatives
)

// lineage is the place of a patent in the tree of themes.
type lineage struct {
	epoch int    // g: the patent's number is in [2^g, 2^(g+1))
	theme uint64 // node of the tree, themeBits(epoch) bits
	seat  uint64 // which of the theme's patents
}

func themeBits(epoch int) int { return max(0, epoch-seatBits) }

// depth is the number of bits of the theme.
func (l lineage) depth() int { return themeBits(l.epoch) }

// ancestor returns the theme that l's theme came from, generations epochs earlier.
func (l lineage) ancestor(generations int) lineage {
	epoch := l.epoch - generations
	return lineage{epoch: epoch, theme: l.theme >> (l.depth() - themeBits(epoch))}
}

// twin returns the theme with the same ideas in another field: half the axis of subclasses away. A theme's twin's
// ancestor is its ancestor's twin.
func (l lineage) twin() lineage {
	if d := l.depth(); d > 0 {
		l.theme ^= 1 << (d - 1)
	}
	return l
}

// axis is where the theme lies among the subclasses, as a fraction of 2^32.
func (l lineage) axis() uint64 { return l.theme << (axisBits - l.depth()) }

// lineageOf places patent n >= 1 in the tree.
func lineageOf(seed int64, n int) lineage {
	epoch := bits.Len(uint(n)) - 1
	place := permute(seed, epoch, uint64(n)-1<<epoch)
	return lineage{epoch: epoch, theme: place >> seatBits, seat: place & (seats - 1)}
}

// patentAt is the inverse of [lineageOf]. l's epoch must be at least seatBits.
func patentAt(seed int64, l lineage) int {
	return 1<<l.epoch + int(unpermute(seed, l.epoch, l.theme<<seatBits|l.seat))
}

const permutationRounds = 3

// permute maps the numbers of width bits onto themselves. Each step, a product with an odd number, a sum and a
// shifted exclusive or, can be undone.
func permute(seed int64, width int, x uint64) uint64 {
	mask, keys := uint64(1)<<width-1, draw(seed, forPermutation, uint64(width))
	for range permutationRounds {
		factor, term := keys.next()|1, keys.next()
		x = (x*factor + term) & mask
		x ^= x >> halfUp(width)
	}
	return x
}

func unpermute(seed int64, width int, x uint64) uint64 {
	mask, keys := uint64(1)<<width-1, draw(seed, forPermutation, uint64(width))
	var factors, terms [permutationRounds]uint64
	for i := range permutationRounds {
		factors[i], terms[i] = keys.next()|1, keys.next()
	}
	for i := permutationRounds - 1; i >= 0; i-- {
		x ^= x >> halfUp(width) // its own inverse, for a shift of at least half the width
		x = (x - terms[i]) * inverse(factors[i]) & mask
	}
	return x
}

func halfUp(width int) int { return max(1, (width+1)/2) }

// inverse returns the inverse of an odd number modulo 2^64, by Newton's method: five steps double three right bits
// to 96.
func inverse(odd uint64) uint64 {
	x := odd
	for range 5 {
		x *= 2 - odd*x
	}
	return x
}
