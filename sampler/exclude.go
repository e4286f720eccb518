package sampler

import (
	"slices"

	"dssdnet/schemas"
)

// exclusion says which patents are no negatives of a topic: its golds of any grade, its own patent, its family,
// patents without English text, patents that are drawn already and, with PriorOnly, patents that were not published
// before the topic's priority date.
type exclusion struct {
	lib      *library
	topic    *topic
	families []family
	before   schemas.Date // noDate is no limit
	taken    map[uint32]bool
}

func newExclusion(lib *library, t *topic, priorOnly bool) *exclusion {
	x := &exclusion{lib: lib, topic: t, families: t.families(lib), before: noDate, taken: map[uint32]bool{}}
	if priorOnly {
		x.before = t.before
	}
	return x
}

func (x *exclusion) allows(patent uint32) bool {
	return x.lib.text[patent] && !x.isRelative(patent) && x.isPrior(patent) && !x.taken[patent] && !x.topic.isGold(patent)
}

// isRelative reports whether a patent is the topic's own or of its family.
func (x *exclusion) isRelative(patent uint32) bool {
	return patent == x.topic.own || slices.Contains(x.families, x.lib.families[patent])
}

// isPrior reports whether a patent was published before the limit. A patent of unknown date was not.
func (x *exclusion) isPrior(patent uint32) bool {
	published := x.lib.published[patent]
	return x.before == noDate || published != noDate && published < x.before
}

func (x *exclusion) take(patent uint32) { x.taken[patent] = true }
