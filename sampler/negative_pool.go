package sampler

import (
	"cmp"
	"slices"

	"dssdnet/schemas/arrowfile"
)

// poolDrawer draws uniformly from the topic's pool within the rank window: patents that BM25 takes for relevant.
type poolDrawer struct {
	queue   []uint32 // by priority
	exclude *exclusion
}

func openPool(d *drawing) drawer { return newPoolDrawer(d, arrowfile.SourcePool, nil) }

// newPoolDrawer draws the patents of the window that also accepts; nil accepts all.
func newPoolDrawer(d *drawing, purpose string, also func(uint32) bool) *poolDrawer {
	type entry struct {
		patent   uint32
		priority uint64
	}
	var entries []entry
	for _, patent := range d.window {
		if d.exclude.allows(patent) && (also == nil || also(patent)) {
			entries = append(entries, entry{patent, priority(d.seed, purpose, d.topic.id, d.lib.id(patent))})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.patent, b.patent))
	})
	p := &poolDrawer{exclude: d.exclude}
	for _, e := range entries {
		p.queue = append(p.queue, e.patent)
	}
	return p
}

func (p *poolDrawer) next(pair) (uint32, bool) {
	for len(p.queue) > 0 {
		patent := p.queue[0]
		p.queue = p.queue[1:]
		if p.exclude.allows(patent) { // another strategy may have taken it since
			return patent, true
		}
	}
	return 0, false
}
