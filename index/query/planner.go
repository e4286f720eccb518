package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/bm25"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// Planner makes queries of topics. It is not safe for concurrent use: make one per goroutine.
type Planner struct {
	config  Config
	ix      *index.Index
	analyst *analysis.Analyzer
	fields  []matched
}

type matched struct {
	number int // of the field in the index
	weight float64
}

// NewPlanner returns a planner of queries to ix. The config must be valid.
func NewPlanner(ix *index.Index, c Config) (*Planner, error) {
	weights, err := c.weights()
	if err != nil {
		return nil, err
	}
	p := &Planner{config: c, ix: ix}
	if p.analyst, err = analysis.New(ix.Manifest().Analyzer); err != nil {
		return nil, err
	}
	for _, w := range weights {
		number := ix.FieldNumber(w.field)
		if number < 0 {
			return nil, fault.New(fault.Usage, "--match: the index %s has no field %q, it has %s: build it with --fields",
				ix.Name(), w.field, strings.Join(ix.Manifest().Fields, ", "))
		}
		p.fields = append(p.fields, matched{number, w.weight})
	}
	return p, nil
}

// Plan is a query with what is worth knowing about it.
type Plan struct {
	bm25.Query
	Known    int      // terms of the query that a patent has
	Excluded int      // patents that are no hits: the topic's own and, without Config.KeepFamily, its family
	Notes    []string // what about the topic limits its pool, one phrase each
}

// Topic plans the query of a topic.
func (p *Planner) Topic(t *schemas.Topic) (*Plan, error) {
	texts := make([]string, len(p.config.Columns))
	for i, column := range p.config.Columns {
		texts[i] = text(t, column)
	}
	plan, err := p.Words(texts...)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(strings.Join(texts, "")) == "" {
		plan.Notes = []string{fmt.Sprintf("no text in %s (language %s)", strings.Join(p.config.Columns, ", "), cmp.Or(t.Lang, "unknown"))}
	}
	p.exclude(plan, t)
	p.limitDates(plan, t)
	p.favour(plan, t)
	return plan, nil
}

// Words plans the query of texts that belong to no topic.
func (p *Planner) Words(texts ...string) (*Plan, error) {
	bag, _ := p.analyst.Bag(texts...)
	plan := &Plan{Query: bm25.Query{Hits: p.config.Hits}}
	known := make(map[string]bool)
	for _, field := range p.fields {
		terms, err := p.terms(bag, field, known)
		if err != nil {
			return nil, err
		}
		plan.Terms = append(plan.Terms, terms...)
	}
	plan.Known = len(known)
	if plan.Known == 0 {
		plan.Notes = append(plan.Notes, fmt.Sprintf("none of the %d terms is in the index", len(bag)))
	}
	return plan, nil
}

// terms are the terms of the query for one field, in the order of their texts.
func (p *Planner) terms(bag []analysis.Term, field matched, known map[string]bool) ([]bm25.Term, error) {
	type candidate struct {
		bm25.Term
		value float64
	}
	var candidates []candidate
	patents := p.ix.Fields()[field.number].Patents
	for _, term := range bag {
		list, err := p.ix.Postings(field.number, term.Text)
		if err != nil {
			return nil, err
		}
		if len(list.Docs) == 0 {
			continue
		}
		known[term.Text] = true
		c := candidate{Term: bm25.Term{Field: field.number, Text: term.Text, Weight: field.weight}}
		if p.config.TF == TFCount {
			c.Weight *= float64(term.Count)
		}
		c.value = bm25.IDF(patents, int64(len(list.Docs)))
		if p.config.Select == SelectTFIDF {
			c.value *= c.Weight
		}
		candidates = append(candidates, c)
	}
	if n := p.config.MaxTerms; n > 0 && n < len(candidates) {
		slices.SortFunc(candidates, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.Text, b.Text))
		})
		candidates = candidates[:n]
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.Text, b.Text) })
	terms := make([]bm25.Term, len(candidates))
	for i, c := range candidates {
		terms[i] = c.Term
	}
	return terms, nil
}

// exclude leaves out the topic's own patent and its family, as the topic and the index have it.
func (p *Planner) exclude(plan *Plan, t *schemas.Topic) {
	own, indexed := p.ix.Patents().Find(t.PatentID)
	if indexed {
		plan.Exclude = append(plan.Exclude, own)
	}
	if !p.config.KeepFamily {
		plan.Exclude = append(plan.Exclude, p.ix.Patents().Family(t.FamilyID)...)
		if indexed {
			plan.Exclude = append(plan.Exclude, p.ix.Patents().FamilyOf(own)...)
		}
		slices.Sort(plan.Exclude)
		plan.Exclude = slices.Compact(plan.Exclude)
	}
	plan.Excluded = len(plan.Exclude)
}

// limitDates leaves out what was published when the topic was filed, if that is asked for.
func (p *Planner) limitDates(plan *Plan, t *schemas.Topic) {
	if !p.config.PublishedBeforePriority {
		return
	}
	plan.Before = cmp.Or(t.EarliestPriorityDate, t.ApplicationDate, t.PublicationDate)
	switch plan.Before {
	case nil:
		plan.Notes = append(plan.Notes, "no date: not limited to earlier patents")
	case t.EarliestPriorityDate:
	default:
		plan.Notes = append(plan.Notes, "no priority day: limited by the filing or publication day")
	}
}

// favour prefers patents that share an IPC subclass with the topic, if that is asked for.
func (p *Planner) favour(plan *Plan, t *schemas.Topic) {
	switch {
	case p.config.IPC == IPCOff:
	case len(t.IPCSubclasses) == 0:
		plan.Notes = append(plan.Notes, "no IPC subclass: not filtered or boosted by it")
	default:
		plan.Favoured = p.ix.Patents().WithSubclass(t.IPCSubclasses)
		plan.Filter = p.config.IPC == IPCFilter
		plan.Boost = p.config.IPCBoost
	}
}
