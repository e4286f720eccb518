package inspect

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"dssdnet/index"
	"dssdnet/index/analysis"
)

// Statistics describe the current build.
type Statistics struct {
	Build      string       `json:"build"`
	Analyzer   string       `json:"analyzer"`
	Patents    int64        `json:"patents"`
	Segments   int          `json:"segments"`
	Deltas     int          `json:"deltas"`      // increments since the last build from nothing
	DeltaShare float64      `json:"delta_share"` // of patents that they touched
	Bytes      int64        `json:"bytes"`
	Fields     []FieldStats `json:"fields"`
}

// FieldStats describe a field.
type FieldStats struct {
	index.FieldInfo
	Columns  []string `json:"columns"`        // of patents/
	Distinct int64    `json:"distinct_terms"` // terms that a patent has
	Shortest uint32   `json:"shortest"`       // length of a patent that has a term
	Median   uint32   `json:"median"`
	Longest  uint32   `json:"longest"`
	Top      []TermDF `json:"top,omitempty"`   // the most frequent terms
	Asked    []TermDF `json:"asked,omitempty"` // the terms of Config.Terms
}

// TermDF is the document frequency of a term.
type TermDF struct {
	Word string `json:"word,omitempty"` // as asked
	Term string `json:"term"`           // as indexed
	DF   int64  `json:"df"`
}

// Stats describes the current build. It reads the postings of every term.
func Stats(ctx context.Context, c Config) (s Statistics, err error) {
	if err := c.Validate(); err != nil {
		return s, err
	}
	ix, err := c.open(ctx)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	m := ix.Manifest()
	s = Statistics{
		Build: m.Build, Analyzer: m.Analyzer, Patents: m.Patents, Segments: m.Segments, Deltas: m.Deltas, DeltaShare: m.DeltaShare,
	}
	for _, file := range m.Files {
		s.Bytes += file.Size
	}
	for number, spec := range m.FieldSpecs() {
		field, err := fieldStats(ctx, c, ix, number)
		if err != nil {
			return s, err
		}
		field.Columns = spec.Columns
		s.Fields = append(s.Fields, field)
	}
	return s, nil
}

func fieldStats(ctx context.Context, c Config, ix *index.Index, number int) (FieldStats, error) {
	f := FieldStats{FieldInfo: ix.Fields()[number].FieldInfo}
	var lengths []uint32
	for _, length := range ix.Fields()[number].Lengths {
		if length > 0 {
			lengths = append(lengths, length)
		}
	}
	if slices.Sort(lengths); len(lengths) > 0 {
		f.Shortest, f.Median, f.Longest = lengths[0], lengths[len(lengths)/2], lengths[len(lengths)-1]
	}
	for term, err := range ix.Terms(number) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return f, err
		}
		df, err := ix.DF(number, term)
		if err != nil {
			return f, err
		}
		if df == 0 {
			continue
		}
		f.Distinct++
		f.Top = insert(f.Top, TermDF{Term: term, DF: df}, c.Top)
	}
	var err error
	f.Asked, err = asked(c, ix, number)
	return f, err
}

// insert puts a term into a list of the n most frequent, equal ones by their text.
func insert(top []TermDF, t TermDF, n int) []TermDF {
	at, _ := slices.BinarySearchFunc(top, t, func(a, b TermDF) int {
		return cmp.Or(cmp.Compare(b.DF, a.DF), cmp.Compare(a.Term, b.Term))
	})
	if at >= n {
		return top
	}
	top = slices.Insert(top, at, t)
	return top[:min(n, len(top))]
}

func asked(c Config, ix *index.Index, number int) ([]TermDF, error) {
	analyst, err := analysis.New(ix.Manifest().Analyzer)
	if err != nil {
		return nil, err
	}
	var list []TermDF
	for _, word := range c.Terms {
		terms := analyst.Sequence(word)
		if len(terms) == 0 {
			list = append(list, TermDF{Word: word}) // a stop word, say
		}
		for _, term := range terms {
			df, err := ix.DF(number, term)
			if err != nil {
				return nil, err
			}
			list = append(list, TermDF{Word: word, Term: term, DF: df})
		}
	}
	return list, nil
}
