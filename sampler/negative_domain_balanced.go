package sampler

import "dssdnet/schemas/arrowfile"

// domainDrawer gives a positive a negative of the same domain label t, drawn from the library: knowing t then tells
// nothing of the label. Where the domain of the positive is unknown it has none to give.
type domainDrawer struct{ same, other *randomDrawer }

func openDomainBalanced(d *drawing) drawer {
	differs := func(patent uint32) bool {
		return !d.lib.codes.domainOf(d.topic.codes, d.lib.subclasses(patent)).has(sameSubclass)
	}
	return &domainDrawer{
		same: &randomDrawer{
			from: d.lib.withSubclass(d.topic.codes), exclude: d.exclude,
			stream: newStream(d.seed, arrowfile.SourceDomainBalanced+" t=1", d.topic.id),
		},
		other: &randomDrawer{
			from: d.lib.classified(), also: differs, exclude: d.exclude,
			stream: newStream(d.seed, arrowfile.SourceDomainBalanced+" t=0", d.topic.id),
		},
	}
}

func (d *domainDrawer) next(positive pair) (uint32, bool) {
	switch {
	case !positive.domain.has(domainKnown):
		return 0, false
	case positive.domain.has(sameSubclass):
		return d.same.next(positive)
	default:
		return d.other.next(positive)
	}
}
