package pool

import (
	"slices"

	"dssdnet/index"
	"dssdnet/schemas"
)

// Cutoffs are the ranks at which the quality of a pool is stated.
var Cutoffs = []int{100, 200, 400, 1000}

// Quality is how many golds, patents that a qrels set calls relevant, a pool has. A re-ranker of the pool cannot do
// better. All golds of a topic count, also those that are not in the index.
type Quality struct {
	Topics            int      `json:"topics"`              // searched topics with a gold
	TopicsWithoutGold int      `json:"topics_without_gold"` // of these, with none in the pool
	Golds             int      `json:"golds"`
	NotIndexed        int      `json:"not_indexed"` // golds that are not in the index
	Excluded          int      `json:"excluded"`    // golds that were no candidates: the topic's own patent or family
	At                []Cutoff `json:"at"`
	// Slices divide the golds by whether they share an IPC subclass with the topic: in, out, and unknown where one
	// of them has none or the gold is not in the index.
	Slices []Slice `json:"slices"`
	// Sound is the same without the topics that are flagged broken, if there are any.
	Sound *Quality `json:"sound,omitempty"`
}

// Cutoff is the quality of the first K candidates.
type Cutoff struct {
	K      int     `json:"k"`
	Found  int     `json:"found"`  // golds among them
	Share  float64 `json:"share"`  // Found of all golds
	Recall float64 `json:"recall"` // mean over topics of the share of the topic's golds
}

// Slice is the quality for some of the golds. Recall is over the topics that have such golds.
type Slice struct {
	Name   string   `json:"name"`
	Topics int      `json:"topics"`
	Golds  int      `json:"golds"`
	At     []Cutoff `json:"at"`
}

// Golds are the relevant patents of a topic.
type Golds struct {
	Patents []string
	Broken  bool // the qrels flag the topic
}

// Meter adds up the quality of a pool topic by topic. It is not safe for concurrent use.
type Meter struct {
	golds map[string]*Golds
	ix    *index.Index
	all   *tally
	sound *tally
}

// NewMeter measures against golds by topic id. ix tells which patents there are and their IPC subclasses.
func NewMeter(golds map[string]*Golds, ix *index.Index) *Meter {
	return &Meter{golds: golds, ix: ix, all: newTally(), sound: newTally()}
}

// Add takes the pool of a topic. excluded are the patents that were no candidates, ascending.
func (m *Meter) Add(topic Query, candidates []schemas.Pool, excluded []uint32) {
	golds := m.golds[topic.TopicID]
	if golds == nil {
		return
	}
	ranks := make(map[string]int, len(candidates))
	for _, c := range candidates {
		ranks[c.PatentID] = int(c.Rank)
	}
	var judged []judgement
	for _, id := range golds.Patents {
		j := judgement{rank: ranks[id], slice: sliceUnknown}
		if ordinal, ok := m.ix.Patents().Find(id); ok {
			j.indexed = true
			_, j.excluded = slices.BinarySearch(excluded, ordinal)
			j.slice = sliceOf(topic.Subclasses, m.ix.Patents().Subclasses(ordinal))
		}
		judged = append(judged, j)
	}
	m.all.add(judged)
	if !golds.Broken {
		m.sound.add(judged)
	}
}

// Quality returns the sums, or nil when no topic had a gold.
func (m *Meter) Quality() *Quality {
	if m.all.Topics == 0 {
		return nil
	}
	q := m.all.quality()
	if m.sound.Topics < m.all.Topics {
		q.Sound = m.sound.quality()
	}
	return q
}

// judgement is a gold of a topic: its rank in the pool, 0 for none, and where it belongs.
type judgement struct {
	rank              int
	slice             int
	indexed, excluded bool
}

const (
	sliceIn = iota
	sliceOut
	sliceUnknown
)

var sliceNames = []string{"in", "out", "unknown"}

func sliceOf(topic, patent []string) int {
	switch {
	case len(topic) == 0 || len(patent) == 0:
		return sliceUnknown
	case slices.ContainsFunc(topic, func(s string) bool { return slices.Contains(patent, s) }):
		return sliceIn
	}
	return sliceOut
}

// tally is a Quality in the making: its Recall are sums until quality divides them.
type tally struct{ Quality }

func newTally() *tally {
	t := &tally{}
	t.At = cutoffs()
	for _, name := range sliceNames {
		t.Slices = append(t.Slices, Slice{Name: name, At: cutoffs()})
	}
	return t
}

func cutoffs() []Cutoff {
	var at []Cutoff
	for _, k := range Cutoffs {
		at = append(at, Cutoff{K: k})
	}
	return at
}

// add takes the golds of one topic, at least one.
func (t *tally) add(golds []judgement) {
	t.Topics++
	t.Golds += len(golds)
	found := false
	for _, g := range golds {
		found = found || g.rank > 0
		if !g.indexed {
			t.NotIndexed++
		}
		if g.excluded {
			t.Excluded++
		}
	}
	if !found {
		t.TopicsWithoutGold++
	}
	count(t.At, golds)
	for i := range t.Slices {
		some := slices.DeleteFunc(slices.Clone(golds), func(g judgement) bool { return g.slice != i })
		if len(some) == 0 {
			continue
		}
		t.Slices[i].Topics++
		t.Slices[i].Golds += len(some)
		count(t.Slices[i].At, some)
	}
}

func count(at []Cutoff, golds []judgement) {
	for i := range at {
		found := 0
		for _, g := range golds {
			if g.rank > 0 && g.rank <= at[i].K {
				found++
			}
		}
		at[i].Found += found
		at[i].Recall += float64(found) / float64(len(golds))
	}
}

func (t *tally) quality() *Quality {
	q := t.Quality
	q.At = divided(q.At, q.Topics, q.Golds)
	q.Slices = slices.Clone(q.Slices)
	for i, s := range q.Slices {
		q.Slices[i].At = divided(s.At, s.Topics, s.Golds)
	}
	return &q
}

func divided(sums []Cutoff, topics, golds int) []Cutoff {
	at := slices.Clone(sums)
	for i := range at {
		at[i].Recall /= float64(max(1, topics))
		at[i].Share = float64(at[i].Found) / float64(max(1, golds))
	}
	return at
}
