package trec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// Qrels are the golds of topics.
type Qrels struct {
	Input  manifest.Input // the file; zero for qrels that were made with Add
	Counts QrelsCounts
	raw    bool
	golds  map[string]map[string]int
	seen   map[string]bool // topics, also those without a gold
}

// Gold is a relevant patent of a topic.
type Gold struct {
	ID    string
	Grade int // from 1
}

// QrelsCounts are what was met in qrels.
type QrelsCounts struct {
	Rows              int64 `json:"rows"`                // lines
	CanonicalIDs      int64 `json:"canonical_ids"`       // lines whose id was not that of a patent, and was made it
	Merged            int64 `json:"merged"`              // lines of a patent beyond its first; the highest grade counts
	NotRelevant       int64 `json:"not_relevant"`        // lines of grade 0 or less
	TopicsWithoutGold int64 `json:"topics_without_gold"` // topics of which no line is relevant: no measure is defined
}

// NewQrels makes qrels without golds.
func NewQrels(o Options) *Qrels {
	return &Qrels{raw: o.RawIDs, golds: map[string]map[string]int{}, seen: map[string]bool{}}
}

// ReadQrels reads a qrels file. Its lines have all the same form.
func ReadQrels(ctx context.Context, path string, o Options) (*Qrels, error) {
	q := NewQrels(o)
	form := 0
	input, err := eachLine(ctx, path, "qrels file", func(columns [][]byte) error {
		if n := len(columns); n > 3 && isLanguage(columns[n-1]) {
			columns = columns[:n-1]
		}
		if form == 0 {
			form = len(columns)
		}
		switch {
		case len(columns) != 3 && len(columns) != 4:
			return fmt.Errorf(`%d columns: neither "topic iteration id grade" nor "topic id grade", with or without a language%s`, len(columns), looksLikeRun(len(columns)))
		case len(columns) != form:
			return fmt.Errorf("%d columns, the file began with %d: one of the two forms is a mistake", len(columns), form)
		}
		grade, err := strconv.ParseInt(string(columns[form-1]), 10, 16)
		if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("the grade %.60q is out of range", columns[form-1])
		}
		if err != nil {
			return fmt.Errorf("the grade %.60q is not a whole number", columns[form-1])
		}
		q.Add(string(columns[0]), string(columns[form-2]), int(grade))
		return nil
	})
	if err != nil {
		return nil, err
	}
	q.Input = input
	if len(q.golds) == 0 {
		return nil, fault.New(fault.Rejected, "qrels file %s has no relevant patent in %d lines: nothing can be measured", path, q.Counts.Rows)
	}
	return q, nil
}

func looksLikeRun(columns int) string {
	if columns == 6 {
		return ": is it a run file?"
	}
	return ""
}

// isLanguage reports whether a column is a language code: EN, DE, FR.
func isLanguage(s []byte) bool { return len(s) == 2 && isLetter(s[0]) && isLetter(s[1]) }

// Add takes a judgement.
func (q *Qrels) Add(topic, id string, grade int) {
	q.Counts.Rows++
	if !q.seen[topic] {
		q.seen[topic] = true
		q.Counts.TopicsWithoutGold++
	}
	if !q.raw {
		if patent, changed := canonical([]byte(id)); changed {
			q.Counts.CanonicalIDs++
			id = patent
		}
	}
	if grade <= 0 {
		q.Counts.NotRelevant++
		return
	}
	golds := q.golds[topic]
	if golds == nil {
		golds = map[string]int{}
		q.golds[topic] = golds
		q.Counts.TopicsWithoutGold--
	}
	old, twice := golds[id]
	if twice {
		q.Counts.Merged++
	}
	golds[id] = max(old, grade)
}

// Topics are the ids of the topics that have a gold, ascending.
func (q *Qrels) Topics() []string {
	var ids []string
	for id := range q.golds {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Golds are the golds of a topic, by id.
func (q *Qrels) Golds(topic string) []Gold {
	var golds []Gold
	for id, grade := range q.golds[topic] {
		golds = append(golds, Gold{ID: id, Grade: grade})
	}
	slices.SortFunc(golds, func(a, b Gold) int { return cmp.Or(strings.Compare(a.ID, b.ID), cmp.Compare(a.Grade, b.Grade)) })
	return golds
}
