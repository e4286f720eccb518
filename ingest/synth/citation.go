package synth

// citation is a patent that the search report of another names.
type citation struct {
	patent   patent
	category byte // X or Y: takes novelty or inventive step away; A: background
	cross    bool // the two have no IPC subclass in common
}

const (
	maxGenerations = 6
	maxCitations   = 12
	maxRelatives   = (maxGenerations + 1) * 3 * seats
)

// citationCounts are equally likely.
var citationCounts = [...]int{1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 7, 7, 8, 9, 10, maxCitations}

// relative is a possible citation.
type relative struct {
	patent      patent
	generations int // epochs between the two
}

// citations appends to dst what p's search report names: relatives of its theme, and with probability crossShare
// relatives without a common subclass, all published before p's priority date.
func (u *universe) citations(p *patent, dst []citation) []citation {
	var near, far [maxRelatives]relative
	nNear, nFar := 0, 0
	u.eachRelative(p, func(r relative) {
		if r.patent.subclasses.overlaps(p.subclasses) {
			near[nNear], nNear = r, nNear+1
		} else {
			far[nFar], nFar = r, nFar+1
		}
	})
	lists := [2][]relative{near[:nNear], far[:nFar]}
	r := draw(u.seed, forCitations, uint64(p.n))
	for range citationCounts[r.below(len(citationCounts))] {
		which := 0
		if r.chance(u.crossShare) {
			which = 1
		}
		list := lists[which]
		if len(list) == 0 {
			continue
		}
		i := min(r.below(len(list)), r.below(len(list))) // close relatives come first in the list
		dst = append(dst, citation{patent: list[i].patent, category: category(&r, list[i].generations), cross: which == 1})
		lists[which] = append(list[:i], list[i+1:]...)
	}
	return dst
}

func category(r *random, generations int) byte {
	novelty := 0.15
	if generations <= 1 {
		novelty = 0.4
	}
	switch {
	case r.chance(novelty):
		return 'X'
	case r.chance(0.25):
		return 'Y'
	}
	return 'A'
}

// eachRelative calls do for the patents of p's theme, of its twin and of its cousin in p's epoch and those before,
// the closest first.
func (u *universe) eachRelative(p *patent, do func(relative)) {
	for generations := 0; generations <= maxGenerations && p.place.epoch-generations >= firstEpoch; generations++ {
		own := p.place.ancestor(generations)
		u.eachEarlier(p, own, generations, do)
		u.eachEarlier(p, own.twin(), generations, do)
		if generations >= 2 && own.depth() > 1 {
			cousin := own
			cousin.theme ^= 1
			u.eachEarlier(p, cousin, generations, do)
		}
	}
}

func (u *universe) eachEarlier(p *patent, theme lineage, generations int, do func(relative)) {
	for seat := range uint64(seats) {
		theme.seat = seat
		n := patentAt(u.seed, theme)
		if n < p.n && publishedOn(n) < p.priority {
			do(relative{u.patent(n), generations})
		}
	}
}
