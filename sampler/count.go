package sampler

import (
	"fmt"
	"math/bits"
	"slices"
)

// Counts say what is in the files and what became of everything else. They stand in the manifest, in the metadata of
// every file and, in words, in the card.
type Counts struct {
	Library LibraryCounts `json:"library"`
	Train   PairCounts    `json:"train"`
	Valid   PairCounts    `json:"valid"`
	Test    GroupCounts   `json:"test"`
	// Straddling are topics left out because a relative is on a side that comes before theirs.
	Straddling int64 `json:"straddling_topics"`
	// Alpha is the share of t = 0 among the training pairs; nil when there are none.
	Alpha *float64 `json:"alpha"`
}

// LibraryCounts describe patents/.
type LibraryCounts struct {
	Patents     int64 `json:"patents"`
	WithoutText int64 `json:"without_english_text"` // never drawn
	WithoutIPC  int64 `json:"without_ipc"`
}

// GoldCounts follow the golds of the topics of a side. Golds = Unreachable + OutsidePool + InPool.
type GoldCounts struct {
	Topics             int64 `json:"topics"`
	TopicsWithoutGolds int64 `json:"topics_without_golds"`
	TopicsWithoutPool  int64 `json:"topics_without_pool"`
	TopicsWithoutIPC   int64 `json:"topics_without_ipc"`
	TopicsWithoutDate  int64 `json:"topics_without_date"` // PriorOnly does not limit their negatives
	Golds              int64 `json:"golds"`
	Unreachable        int64 `json:"golds_unreachable"` // not in patents/; still in every denominator
	OutsidePool        int64 `json:"golds_outside_pool"`
	InPool             int64 `json:"golds_in_pool"`
}

// PairCounts describe train or valid. InPool = Positives + the sum of LeftOut.
type PairCounts struct {
	GoldCounts
	LeftOut         leftOut          `json:"golds_in_pool_left_out"` // by reason
	TopicsWithPairs int64            `json:"topics_with_pairs"`
	Positives       int64            `json:"positives"`
	Negatives       int64            `json:"negatives"`
	Fallbacks       int64            `json:"fallbacks"` // negatives drawn at random because their strategy had none left
	Sources         map[string]int64 `json:"sources"`
	DomainCounts
	Sections []SectionCounts `json:"sections"`
	Words    Histogram       `json:"words"`  // of query and candidate together
	Tokens   Histogram       `json:"tokens"` // the same as BERT's basic tokenizer cuts them
}

// GroupCounts describe test.
type GroupCounts struct {
	GoldCounts
	Groups      int64 `json:"groups"`
	Rows        int64 `json:"rows"`
	OwnPatent   int64 `json:"rows_of_own_patent"` // left out: a topic does not find itself
	WithoutText int64 `json:"rows_without_english_text"`
	DomainCounts
}

// DomainCounts are rows by label and domain, at every level.
type DomainCounts struct {
	Subclass Cells    `json:"subclass"`
	Class    Cells    `json:"class"` // also IPC3
	Section  Cells    `json:"section"`
	Known    [2]int64 `json:"domain_known"` // by label
}

// Cells are rows by label and t: Cells[label][t].
type Cells [2][2]int64

// SectionCounts are the pairs of the topics that have an IPC code of a section. A topic counts in each of its sections.
type SectionCounts struct {
	Section string `json:"section"`
	Cells   Cells  `json:"cells"` // at subclass level
}

// Histogram counts lengths: bucket n holds those from 2^(n-1) to 2^n - 1, bucket 0 the empty.
type Histogram struct {
	Buckets []int64 `json:"buckets"`
	Sum     int64   `json:"sum"`
	Max     int64   `json:"max"`
}

func (h *Histogram) add(length uint32) {
	n := bits.Len32(length)
	for len(h.Buckets) <= n {
		h.Buckets = append(h.Buckets, 0)
	}
	h.Buckets[n]++
	h.Sum += int64(length)
	h.Max = max(h.Max, int64(length))
}

func (d *DomainCounts) add(p pair) {
	label := p.label()
	d.Subclass[label][p.domain.bit(sameSubclass)]++
	d.Class[label][p.domain.bit(sameClass)]++
	d.Section[label][p.domain.bit(sameSection)]++
	d.Known[label] += int64(p.domain.bit(domainKnown))
}

// addTopic counts the golds of a topic, of which inPool are in its pool.
func (g *GoldCounts) addTopic(t *topic, inPool int64) {
	g.Topics++
	if t.goldCount() == 0 {
		g.TopicsWithoutGolds++
	}
	if t.pool.rows == 0 {
		g.TopicsWithoutPool++
	}
	if len(t.codes) == 0 {
		g.TopicsWithoutIPC++
	}
	if t.before == noDate {
		g.TopicsWithoutDate++
	}
	g.Golds += int64(t.goldCount())
	g.Unreachable += int64(t.unreachable)
	g.InPool += inPool
	g.OutsidePool += int64(len(t.golds)) - inPool
}

// leave adds golds in the pool that make no pair.
func (c *PairCounts) leave(left leftOut) {
	if c.LeftOut == nil {
		c.LeftOut = leftOut{}
	}
	for reason, n := range left {
		if n > 0 {
			c.LeftOut[reason] += n
		}
	}
}

// addPairs counts the pairs of a split.
func (c *PairCounts) addPairs(d *dataset, topics []topic, numbers *codes, store *textStore) {
	c.Sources = map[string]int64{}
	sections := map[string]*SectionCounts{}
	with := map[uint32]bool{}
	for _, p := range d.pairs {
		if p.gold {
			c.Positives++
		} else {
			c.Negatives++
		}
		with[p.topic] = true
		c.Sources[p.source.String()]++
		c.add(p)
		for _, name := range sectionsOf(topics[p.topic].codes, numbers) {
			if sections[name] == nil {
				sections[name] = &SectionCounts{Section: name}
			}
			sections[name].Cells[p.label()][p.domain.bit(sameSubclass)]++
		}
		query, doc := store.topics[p.topic], store.doc(p.doc)
		c.Words.add(query.words + doc.words)
		c.Tokens.add(query.tokens + doc.tokens)
	}
	c.TopicsWithPairs = int64(len(with))
	for _, name := range sortedKeys(sections) {
		c.Sections = append(c.Sections, *sections[name])
	}
}

// sectionsOf are the distinct sections of a topic.
func sectionsOf(list []code, numbers *codes) []string {
	var names []string
	for _, n := range list {
		if name := numbers.section(n); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// warnings are the counts that a user should know of, each a sentence.
func (c *Counts) warnings(priorOnly bool) []string {
	all := []string{}
	warn := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if c.Library.WithoutIPC == c.Library.Patents {
		warn("no patent of the library has an IPC code: every domain label is 0 and unknown")
	}
	if c.Straddling > 0 {
		warn("%d topics are left out, a relative of theirs is in test or valid", c.Straddling)
	}
	for _, s := range []struct {
		name string
		*PairCounts
	}{{"train", &c.Train}, {"valid", &c.Valid}} {
		warnGolds(warn, s.name, s.GoldCounts)
		for _, reason := range sortedKeys(s.LeftOut) {
			warn("%s: %d golds in the pool make no pair: %s", s.name, s.LeftOut[reason], reason)
		}
		if priorOnly && s.TopicsWithoutDate > 0 {
			warn("%s: %d topics have no date, their negatives may be of any", s.name, s.TopicsWithoutDate)
		}
		if s.Fallbacks > 0 {
			warn("%s: %d negatives are drawn at random because their strategy had no patent left", s.name, s.Fallbacks)
		}
		for label := range s.Subclass {
			for t, n := range s.Subclass[label] {
				if n == 0 && s.Positives > 0 {
					warn("%s: no pair has label %d and t = %d", s.name, label, t)
				}
			}
		}
	}
	warnGolds(warn, "test", c.Test.GoldCounts)
	if c.Test.OwnPatent > 0 {
		warn("test: %d topics stand in their own pool, these rows are left out", c.Test.OwnPatent)
	}
	if c.Test.WithoutText > 0 {
		warn("test: %d candidates have no English title or abstract", c.Test.WithoutText)
	}
	return all
}

func warnGolds(warn func(string, ...any), name string, g GoldCounts) {
	for _, w := range []struct {
		n    int64
		text string
	}{
		{g.TopicsWithoutGolds, "topics have no gold in the qrels"},
		{g.TopicsWithoutPool, "topics have no pool"},
		{g.Unreachable, "golds are not in patents/: no pool can hold them, and they still count in every measure"},
	} {
		if w.n > 0 {
			warn("%s: %d %s", name, w.n, w.text)
		}
	}
}
