package eval

import (
	"cmp"
	"slices"
)

// slice divides golds, or topics, into parts. One of the two functions is set.
type slice struct {
	name string
	gold func(t *Topic, g *Gold) string // part of a gold, "" for none
	part func(t *Topic) []string        // parts of a topic
}

// Parts of the domain slices, in DAPFAM's words. A pair is in unknown when one of the two has no IPC code.
const (
	partIn      = "in"
	partOut     = "out"
	partUnknown = "unknown"
)

// slices are how results are divided. Class and IPC3 are the same three characters (A61): the first is how the sampler
// calls the level, the second how DAPFAM does.
func allSlices() []slice {
	return []slice{
		{name: "domain-subclass", gold: domain(4)},
		{name: "domain-class", gold: domain(3)},
		{name: "domain-ipc3", gold: domain(3)},
		{name: "domain-section", gold: domain(1)},
		{name: "grade", gold: func(_ *Topic, g *Gold) string {
			if g.Grade >= 2 {
				return "2"
			}
			return "1"
		}},
		{name: "gold-language", gold: func(_ *Topic, g *Gold) string {
			if g.Patent == nil {
				return partUnknown
			}
			return cmp.Or(g.Patent.Lang, "none")
		}},
		{name: "ipc-section", part: sections},
		{name: "language", part: func(t *Topic) []string {
			if t.Row == nil {
				return nil
			}
			return []string{cmp.Or(t.Row.Lang, partUnknown)}
		}},
		{name: "golds", part: func(t *Topic) []string { return []string{goldsPart(len(t.Golds))} }},
		{name: "ceiling", part: func(t *Topic) []string { return []string{ceilingPart(t)} }},
		{name: "broken", part: func(t *Topic) []string {
			if t.Broken {
				return []string{"yes"}
			}
			return []string{"no"}
		}},
	}
}

// domain tells in from out by the first n characters of the IPC subclasses.
func domain(n int) func(t *Topic, g *Gold) string {
	return func(t *Topic, g *Gold) string {
		if t.Row == nil || g.Patent == nil {
			return partUnknown
		}
		return domainOf(t.Row.IPCSubclasses, g.Patent.IPC, n)
	}
}

// Domain is in, out or unknown: whether a topic and a patent with these IPC subclasses share one.
func Domain(topic, patent []string) string { return domainOf(topic, patent, len("A61K")) }

func domainOf(topic, patent []string, n int) string {
	switch {
	case len(topic) == 0 || len(patent) == 0:
		return partUnknown
	case overlap(topic, patent, n):
		return partIn
	}
	return partOut
}

// sections are the IPC sections of a topic; a topic of several is in each.
func sections(t *Topic) []string {
	if t.Row == nil {
		return nil
	}
	var parts []string
	for _, code := range t.Row.IPCSubclasses {
		if code != "" {
			parts = append(parts, code[:1])
		}
	}
	if slices.Sort(parts); len(parts) == 0 {
		return []string{partUnknown}
	}
	return slices.Compact(parts)
}

func goldsPart(n int) string {
	switch {
	case n == 1:
		return "1"
	case n <= 3:
		return "2-3"
	case n <= 7:
		return "4-7"
	}
	return "8 and more"
}

// ceilingPart is how many of a topic's golds the pool has.
func ceilingPart(t *Topic) string {
	switch n := t.inPool(ceilingDepth); {
	case n == 0:
		return "none in the pool"
	case n == len(t.Golds):
		return "all in the pool"
	case 2*n < len(t.Golds):
		return "under half"
	}
	return "half and more"
}

// Part is one part of a slice.
type Part struct {
	Slice string `json:"slice"`
	Part  string `json:"part"`
	Means
}

// parts measures a run in every slice that divides something: one that puts all into one part says nothing new, but for
// grade and the domain levels, where a reader looks for the figure.
func (e *Evaluation) parts(r *Scored) []Part {
	var all []Part
	for _, s := range allSlices() {
		if e.Config.Pool == "" && s.name == "ceiling" {
			continue
		}
		if s.gold != nil {
			all = append(all, e.goldParts(r, s)...)
		} else {
			all = append(all, e.topicParts(r, s)...)
		}
	}
	return all
}

func (e *Evaluation) goldParts(r *Scored, s slice) []Part {
	of := make([][]string, len(e.Topics))
	names := map[string]bool{}
	for t := range e.Topics {
		for g := range e.Topics[t].Golds {
			part := s.gold(&e.Topics[t], &e.Topics[t].Golds[g])
			of[t] = append(of[t], part)
			names[part] = true
		}
	}
	if delete(names, ""); len(names) == 1 && names[partUnknown] {
		return nil
	}
	var parts []Part
	for _, name := range sortedNames(names) {
		parts = append(parts, Part{s.name, name, e.means(r, nil, func(t, g int) bool { return of[t][g] == name })})
	}
	return parts
}

func (e *Evaluation) topicParts(r *Scored, s slice) []Part {
	of := make([][]string, len(e.Topics))
	names := map[string]bool{}
	for t := range e.Topics {
		of[t] = s.part(&e.Topics[t])
		for _, part := range of[t] {
			names[part] = true
		}
	}
	if len(names) < 2 {
		return nil
	}
	var parts []Part
	for _, name := range sortedNames(names) {
		parts = append(parts, Part{s.name, name, e.means(r, func(t int) bool { return slices.Contains(of[t], name) }, nil)})
	}
	return parts
}

func sortedNames(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
