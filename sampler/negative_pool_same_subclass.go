package sampler

import "dssdnet/schemas/arrowfile"

// openPoolSameSubclass draws from the pool's patents that share an IPC subclass with the topic: negatives that neither
// words nor the domain tell from golds.
func openPoolSameSubclass(d *drawing) drawer {
	return newPoolDrawer(d, arrowfile.SourcePoolSameSubclass, func(patent uint32) bool {
		return d.lib.codes.domainOf(d.topic.codes, d.lib.subclasses(patent)).has(sameSubclass)
	})
}
