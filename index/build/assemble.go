package build

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/internal/progress"
)

// chunk is how many patents go to a worker at a time.
const chunk = 128

// assembly is the writing of patents into a Bluge index by several workers. The caller's goroutine reads.
type assembly struct {
	config  Config
	fields  []index.FieldSpec
	places  [][]int // by field: places of its columns among the texts of a patent
	w       *writer
	task    progress.Task
	expects *expected

	worth func(id string) bool // whether a patent has to be written
}

func newAssembly(c Config, fields []index.FieldSpec, columns []string) *assembly {
	a := &assembly{config: c, fields: fields}
	for _, field := range fields {
		var places []int
		for _, column := range field.Columns {
			places = append(places, slices.Index(columns, column))
		}
		a.places = append(a.places, places)
	}
	return a
}

// write indexes the patents of the files that are worth it.
func (a *assembly) write(ctx context.Context, s *source, files []*sourceFile) error {
	group, ctx := errgroup.WithContext(ctx)
	chunks := make(chan []*patent)
	parts := make([]*expected, a.config.workers())
	probes := make(chan []string, 1)
	group.Go(func() error {
		defer close(chunks)
		return a.read(ctx, s, files, chunks, probes)
	})
	known, ok := <-probes
	if !ok {
		a.expects = newExpected(len(a.fields), nil)
		return group.Wait() // nothing to write
	}
	for i := range parts {
		parts[i] = newExpected(len(a.fields), known)
		group.Go(func() error { return a.work(ctx, chunks, parts[i]) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	a.expects = newExpected(len(a.fields), known)
	for _, part := range parts {
		a.expects.join(part)
	}
	return nil
}

// read sends the patents on, in chunks. Before the first it sends the terms whose frequencies are to be counted.
func (a *assembly) read(ctx context.Context, s *source, files []*sourceFile, chunks chan<- []*patent, probes chan<- []string) error {
	defer close(probes)
	var order idOrder
	var pending []*patent
	started := false
	send := func() error {
		if !started {
			first, err := a.analyst()
			if err != nil {
				return err
			}
			probes <- probesOf(a.bag(first, pending[0], 0).terms)
			started = true
		}
		select {
		case chunks <- pending:
			pending = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, sf := range files {
		order.file(sf.path)
		err := s.each(sf, func(p *patent) error {
			if err := order.next(p.id); err != nil {
				return err
			}
			if a.worth(p.id) {
				pending = append(pending, p)
			}
			if len(pending) == chunk {
				return send()
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if len(pending) > 0 {
		if err := send(); err != nil {
			return err
		}
	}
	return order.check()
}

func (a *assembly) analyst() (*analysis.Analyzer, error) { return analysis.New(a.config.Analyzer) }

// work makes segments of the chunks it gets.
func (a *assembly) work(ctx context.Context, chunks <-chan []*patent, part *expected) error {
	analyst, err := a.analyst()
	if err != nil {
		return err
	}
	limit := int64(a.config.BuildBytes) / int64(a.config.workers())
	var hash hasher
	var batch []*document
	var bytes int64
	for patents := range chunks {
		for _, p := range patents {
			content := hash.content(p)
			d := a.document(analyst, p, content)
			part.add(d, content)
			if n := d.bytes(); len(batch) > 0 && bytes+n > limit {
				if err := a.w.add(batch); err != nil {
					return err
				}
				batch, bytes = batch[:0], 0
			}
			batch = append(batch, d)
			bytes += d.bytes()
		}
		a.task.Add(int64(len(patents)))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return a.w.add(batch)
}

func (a *assembly) document(analyst *analysis.Analyzer, p *patent, content index.Content) *document {
	d := &document{id: p.id}
	record := index.Record{Content: content, Published: p.published, Family: p.family, Subclasses: p.subclasses}
	for i := range a.fields {
		b := a.bag(analyst, p, i)
		d.fields = append(d.fields, b)
		record.Lengths = append(record.Lengths, uint32(b.length))
	}
	d.record = record.Append(nil)
	return d
}

func (a *assembly) bag(analyst *analysis.Analyzer, p *patent, field int) bag {
	texts := make([]string, len(a.places[field]))
	for i, place := range a.places[field] {
		texts[i] = p.texts[place]
	}
	terms, length := analyst.Bag(texts...)
	return bag{name: a.fields[field].Name, terms: slices.Clone(terms), length: length}
}
