package sampler

import (
	"cmp"
	"slices"
)

// thin makes the positives of a side balanced between t = 1 and t = 0: it keeps the smaller kind, and as many of the
// larger, those of the lowest priority. Positives of unknown domain go. The priority depends on (topic, patent) alone;
// how many are kept depends on the side, so that a further topic moves the limit and nothing else.
func thin(s side, byTopic [][]pair, topics []topic, lib *library, seed int64) leftOut {
	type place struct {
		topic, at int
		priority  uint64
	}
	left := leftOut{}
	var kinds [2][]place
	for n, pairs := range byTopic {
		if topics[n].side != s {
			continue
		}
		for at, p := range pairs {
			if !p.domain.has(domainKnown) {
				left[leftUnknownDomain]++
				continue
			}
			t := p.domain.bit(sameSubclass)
			kinds[t] = append(kinds[t], place{n, at, priority(seed, forThin, topics[p.topic].id, lib.id(p.doc))})
		}
	}
	keep := min(len(kinds[0]), len(kinds[1]))
	left[leftThinned] += int64(len(kinds[0]) + len(kinds[1]) - 2*keep)
	var kept []place
	for _, kind := range kinds {
		slices.SortFunc(kind, func(a, b place) int {
			return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.topic, b.topic), cmp.Compare(a.at, b.at))
		})
		kept = append(kept, kind[:keep]...)
	}
	slices.SortFunc(kept, func(a, b place) int { return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.at, b.at)) })
	thinned := map[int][]pair{}
	for _, k := range kept {
		thinned[k.topic] = append(thinned[k.topic], byTopic[k.topic][k.at])
	}
	for n := range byTopic {
		if topics[n].side == s {
			byTopic[n] = thinned[n]
		}
	}
	return left
}
