package sampler

import (
	"fmt"

	"dssdnet/internal/fault"
)

// side is where a topic goes.
type side uint8

const (
	train side = iota
	valid
	test
	straddling // its family is on a side that comes first: left out
)

var sideNames = [...]string{"train", "valid", "test", "straddling"}

func (s side) String() string { return sideNames[s] }

func parseSide(split string) (side, error) {
	for s, name := range sideNames[:straddling] {
		if split == name {
			return side(s), nil
		}
	}
	return 0, fault.New(fault.Rejected, "split %q is neither train, valid nor test", split)
}

// assignSides puts every topic on its side. Relatives, topics of one patent or one family, are one lineage and stay
// together. A lineage with a test topic is tested, and its other topics are left out; so is one with a validation
// topic. A lineage of train topics only is drawn for validation with probability validShare, by a hash of its family:
// not by what else is in the run.
func assignSides(topics []topic, lib *library, seed int64, validShare float64) {
	lineages := lineagesOf(topics, lib)
	for _, members := range lineages {
		first, name := train, ""
		for _, t := range members {
			first = max(first, topics[t].declared)
			if key := topics[t].lineageKey(lib); name == "" || key < name {
				name = key
			}
		}
		drawn := first
		if first == train && share(seed, forSplit, name) < validShare {
			drawn = valid
		}
		for _, t := range members {
			if topics[t].side = drawn; topics[t].declared != first {
				topics[t].side = straddling
			}
		}
	}
}

// lineagesOf groups topics that share a patent or a family, directly or over others.
func lineagesOf(topics []topic, lib *library) [][]int {
	parent := make([]int, len(topics))
	for t := range parent {
		parent[t] = t
	}
	root := func(t int) int {
		for parent[t] != t {
			parent[t] = parent[parent[t]]
			t = parent[t]
		}
		return t
	}
	first := map[string]int{}
	for t := range topics {
		for _, key := range topics[t].relations(lib) {
			if other, ok := first[key]; ok {
				parent[root(t)] = root(other)
			} else {
				first[key] = t
			}
		}
	}
	var lineages [][]int
	at := map[int]int{}
	for t := range topics {
		n, ok := at[root(t)]
		if !ok {
			n = len(lineages)
			at[root(t)] = n
			lineages = append(lineages, nil)
		}
		lineages[n] = append(lineages[n], t)
	}
	return lineages
}

// relations are the keys that a topic shares with its relatives.
func (t *topic) relations(lib *library) []string {
	keys := []string{"patent " + t.patent}
	for _, f := range t.families(lib) {
		keys = append(keys, fmt.Sprintf("family %d", f))
	}
	return keys
}

// lineageKey is the key that the side is drawn by: the family where it is known, else the patent.
func (t *topic) lineageKey(lib *library) string {
	keys := t.relations(lib)
	return keys[len(keys)-1]
}

// families are the families of the topic: its own and, where it says another, that of its patent in the library,
// which comes last.
func (t *topic) families(lib *library) []family {
	var all []family
	if t.family != noFamily {
		all = append(all, t.family)
	}
	if t.own != nowhere {
		if f := lib.families[t.own]; f != noFamily && f != t.family {
			all = append(all, f)
		}
	}
	return all
}
