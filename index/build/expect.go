package build

import (
	"fmt"

	"dssdnet/index"
	"dssdnet/index/analysis"
)

// expected is what the finished index must show, gathered while it was made and, for an increment, from the build
// before. It guards against a mistake of Bluge or of ours, not against bad disks.
type expected struct {
	patents int64
	digest  index.Digest
	terms   []int64          // by field: terms of all patents
	df      map[string]int64 // of some terms of the first field
	samples []sample
}

// sample is a patent with its terms.
type sample struct {
	id   string
	bags []bag
}

const (
	// sampled of every sampleEvery patents of a worker is kept for comparison, up to maxSamples.
	sampleEvery = 997
	maxSamples  = 20
	// maxProbes is of how many terms the document frequency is counted.
	maxProbes = 24
)

// newExpected expects nothing yet. probes are the terms whose document frequency is counted.
func newExpected(fields int, probes []string) *expected {
	e := &expected{terms: make([]int64, fields), df: make(map[string]int64)}
	for _, term := range probes {
		e.df[term] = 0
	}
	return e
}

// probesOf picks terms of a bag to count.
func probesOf(bag []analysis.Term) []string {
	var probes []string
	for _, term := range bag {
		if len(probes) < maxProbes {
			probes = append(probes, term.Text)
		}
	}
	return probes
}

// add takes a document that is written.
func (e *expected) add(d *document, content index.Content) {
	if e.patents%sampleEvery == 0 && len(e.samples) < maxSamples {
		e.samples = append(e.samples, sample{d.id, d.fields})
	}
	e.patents++
	e.digest.Add(content)
	for i, b := range d.fields {
		e.terms[i] += int64(b.length)
	}
	if len(e.df) == 0 {
		return
	}
	for _, term := range d.fields[0].terms {
		if n, ok := e.df[term.Text]; ok {
			e.df[term.Text] = n + 1
		}
	}
}

// keep takes what stays of the build before.
func (e *expected) keep(c *comparison) error {
	for ordinal, f := range c.fates {
		if f != same {
			continue
		}
		e.patents++
		e.digest.Add(c.old.Patents().Content(uint32(ordinal)))
		for i, field := range c.old.Fields() {
			e.terms[i] += int64(field.Lengths[ordinal])
		}
	}
	for term := range e.df {
		postings, err := c.old.Postings(0, term)
		if err != nil {
			return err
		}
		for _, ordinal := range postings.Docs {
			if c.fates[ordinal] == same {
				e.df[term]++
			}
		}
	}
	return nil
}

// join adds what another worker has written.
func (e *expected) join(other *expected) {
	e.patents += other.patents
	e.digest.Join(other.digest)
	for i, n := range other.terms {
		e.terms[i] += n
	}
	for term, n := range other.df {
		e.df[term] += n
	}
	e.samples = append(e.samples, other.samples...)
}

// verify compares the index with what is expected.
func (e *expected) verify(ix *index.Index) error {
	m := ix.Manifest()
	if m.Patents != e.patents || m.Digest != e.digest.String() {
		return fmt.Errorf("it has %d patents with the digest %s, %d with %s were written", m.Patents, m.Digest, e.patents, e.digest)
	}
	for i, field := range ix.Fields() {
		if field.Terms != e.terms[i] {
			return fmt.Errorf("field %s has %d terms, %d were written", field.Name, field.Terms, e.terms[i])
		}
	}
	for term, n := range e.df {
		postings, err := ix.Postings(0, term)
		if err != nil {
			return err
		}
		if got := int64(len(postings.Docs)); got != n {
			return fmt.Errorf("term %q is in %d patents, it was written in %d", term, got, n)
		}
	}
	for _, s := range e.samples {
		if err := s.verify(ix); err != nil {
			return fmt.Errorf("patent %s: %w", s.id, err)
		}
	}
	return nil
}

func (s *sample) verify(ix *index.Index) error {
	ordinal, ok := ix.Patents().Find(s.id)
	if !ok {
		return fmt.Errorf("it is missing")
	}
	for i, b := range s.bags {
		if got := int(ix.Fields()[i].Lengths[ordinal]); got != b.length {
			return fmt.Errorf("field %s has length %d, %d was written", b.name, got, b.length)
		}
		for _, term := range b.terms {
			postings, err := ix.Postings(i, term.Text)
			if err != nil {
				return err
			}
			at, ok := postings.Find(ordinal)
			if !ok || postings.Freq(at) != term.Count {
				return fmt.Errorf("field %s does not have %q %d times", b.name, term.Text, term.Count)
			}
		}
	}
	return nil
}
