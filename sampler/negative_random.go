package sampler

import "dssdnet/schemas/arrowfile"

// randomDrawer draws uniformly from a list of patents, without replacement. It draws a place in the list and tries
// again when the patent there is not allowed; what is allowed is then equally likely whatever is not. After many
// misses it lists what is allowed and draws from that, which is the same draw.
type randomDrawer struct {
	from    []uint32
	also    func(patent uint32) bool // nil allows all
	exclude *exclusion
	stream  stream
	listed  bool
	rest    []uint32 // what was allowed when it was listed and has not been drawn here
}

// maxMisses in a row make a list cheaper than more tries: one patent in a thousand is allowed.
const maxMisses = 1000

func openRandom(d *drawing) drawer {
	return &randomDrawer{from: d.lib.english, exclude: d.exclude, stream: newStream(d.seed, arrowfile.SourceRandom, d.topic.id)}
}

func (r *randomDrawer) allows(patent uint32) bool {
	return r.exclude.allows(patent) && (r.also == nil || r.also(patent))
}

func (r *randomDrawer) next(pair) (uint32, bool) {
	if !r.listed {
		for range min(maxMisses, len(r.from)) {
			if patent := r.from[r.stream.below(len(r.from))]; r.allows(patent) {
				return patent, true
			}
		}
		r.listed = true
		for _, patent := range r.from {
			if r.allows(patent) {
				r.rest = append(r.rest, patent)
			}
		}
	}
	for len(r.rest) > 0 {
		at, last := r.stream.below(len(r.rest)), len(r.rest)-1
		patent := r.rest[at]
		r.rest[at], r.rest = r.rest[last], r.rest[:last]
		if r.allows(patent) { // another strategy may have taken it since
			return patent, true
		}
	}
	return 0, false
}
