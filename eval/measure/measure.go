package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Measure is a measure with its parameters. The zero value is none: make one with [Parse].
type Measure struct {
	kind   *kind
	rel    int // lowest grade that counts as relevant, 1 or more
	cutoff int // 0 for the whole ranking
}

// kind is a measure without parameters.
type kind struct {
	name string
	of   func(t *Topic, k int) float64
	// bounded measures make no sense without a cut-off.
	bounded bool
	// graded measures use the grades themselves: rel means nothing to them.
	graded bool
}

// kinds in the order in which they are listed.
var kinds = []*kind{
	{name: "Recall", of: recall, bounded: true},
	{name: "PRES", of: pres, bounded: true},
	{name: "MAP", of: paperMAP},
	{name: "AP", of: averagePrecision},
	{name: "nDCG", of: ndcg, graded: true},
	{name: "RR", of: reciprocalRank},
	{name: "Success", of: success, bounded: true},
	{name: "Hit", of: success, bounded: true},
}

// aliases are other names of the kinds, in small letters. map is trec_eval's, which is AP: MAP is the paper's.
var aliases = map[string]string{
	"r": "Recall", "recall": "Recall", "pres": "PRES", "ap": "AP", "map": "AP", "map_cut": "AP", "ndcg": "nDCG", "ndcg_cut": "nDCG",
	"rr": "RR", "mrr": "RR", "recip_rank": "RR", "success": "Success", "hit": "Hit",
}

// Names are the measures there are.
func Names() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// Parse reads NAME, NAME@K, NAME(rel=G) or NAME(rel=G)@K. rel is the lowest grade that counts as relevant. The names
// of trec_eval (map_cut_100, recall.200, ndcg_cut_10, recip_rank) are read as well. In both forms MAP in capitals is
// the paper's and map is trec_eval's, that is AP.
func Parse(text string) (Measure, error) {
	name, cutoff, cut := strings.Cut(strings.TrimSpace(text), "@")
	name, args, called := strings.Cut(name, "(")
	m := Measure{rel: 1}
	if called {
		value, ok := strings.CutPrefix(args, "rel=")
		value, closed := strings.CutSuffix(value, ")")
		n, err := strconv.Atoi(value)
		if !ok || !closed || err != nil || n < 1 {
			return Measure{}, fmt.Errorf("measure %q: what stands in brackets must be rel=G, the lowest grade that is relevant, 1 or more", text)
		}
		m.rel = n
	}
	if !called && !cut {
		if i := strings.LastIndexAny(name, "_."); i > 0 && isNumber(name[i+1:]) {
			name, cutoff, cut = name[:i], name[i+1:], true
		}
	}
	if m.kind = find(name); m.kind == nil {
		return Measure{}, fmt.Errorf("measure %q is none of %s", text, strings.Join(Names(), ", "))
	}
	if m.rel > 1 && m.kind.graded {
		return Measure{}, fmt.Errorf("measure %q: %s uses the grades themselves and takes no rel", text, m.kind.name)
	}
	if cut {
		n, err := strconv.Atoi(cutoff)
		if err != nil || n < 1 {
			return Measure{}, fmt.Errorf("measure %q: the cut-off after @ must be a whole number from 1", text)
		}
		m.cutoff = n
	}
	return m, nil
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 32)
	return err == nil
}

func find(name string) *kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	if full, ok := aliases[strings.ToLower(name)]; ok {
		return find(full)
	}
	return nil
}

// Expand parses names, and takes each that has no cut-off at every one of cutoffs. The order is that of the names;
// what is named twice is there once.
func Expand(names []string, cutoffs []int) ([]Measure, error) {
	var all []Measure
	for _, name := range names {
		m, err := Parse(name)
		if err != nil {
			return nil, err
		}
		at := cutoffs
		if m.cutoff > 0 || len(cutoffs) == 0 {
			at = []int{m.cutoff}
		}
		for _, k := range at {
			m.cutoff = k
			if k == 0 && m.kind.bounded {
				return nil, fmt.Errorf("measure %q needs a cut-off: %s@100", name, m.kind.name)
			}
			if !slices.Contains(all, m) {
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// At is the measure at another cut-off.
func (m Measure) At(cutoff int) Measure {
	m.cutoff = cutoff
	return m
}

// Kind is the name without the cut-off: AP(rel=2).
func (m Measure) Kind() string {
	if m.rel > 1 {
		return fmt.Sprintf("%s(rel=%d)", m.kind.name, m.rel)
	}
	return m.kind.name
}

// Cutoff is 0 for the whole ranking.
func (m Measure) Cutoff() int { return m.cutoff }

// String is the name that Parse reads.
func (m Measure) String() string {
	if m.cutoff == 0 {
		return m.Kind()
	}
	return m.Kind() + "@" + strconv.Itoa(m.cutoff)
}

// Of is the value for a topic, from 0 to 1. ok is false when the topic has no gold that the measure counts: it says
// nothing about such a topic.
func (m Measure) Of(t *Topic) (value float64, ok bool) {
	some := t.atLeast(m.rel)
	if some.Golds() == 0 {
		return 0, false
	}
	return m.kind.of(some, m.cutoff), true
}

// Compare orders measures as they are listed: by kind, rel and cut-off.
func Compare(a, b Measure) int {
	return cmp.Or(
		cmp.Compare(slices.Index(kinds, a.kind), slices.Index(kinds, b.kind)),
		cmp.Compare(a.rel, b.rel), cmp.Compare(a.cutoff, b.cutoff),
	)
}
