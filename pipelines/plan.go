package pipelines

import (
	"fmt"
	"slices"
	"strings"

	"dssdnet/internal/fault"
)

// plan is a pipeline whose steps are bound to stages and stand in the order in which they run.
type plan struct {
	*file
	steps []*step
}

// step is one call of a stage.
type step struct {
	declared
	*binding
	number        int // in the file, from 0
	reads, writes []ref
	ifExistsRef   ref
	needs         []need
}

// need is why a step comes after another.
type need struct {
	on   *step
	what string // data that on writes and the step reads
	// earlier: on reads the models that the step replaces.
	earlier bool
}

// newPlan binds and orders the steps of a file. Every error is a fault.Usage that names file and line.
func newPlan(f *file, stages catalog, p place, c Config) (*plan, error) {
	pl := &plan{file: f}
	for i, d := range f.steps {
		s, err := bind(f.path, d, stages, p, c)
		if err != nil {
			return nil, err
		}
		s.number = i
		pl.steps = append(pl.steps, s)
	}
	if err := pl.connect(); err != nil {
		return nil, err
	}
	return pl, pl.sort()
}

// at begins an error about a step.
func (f *file) at(s declared) string { return fmt.Sprintf("%s:%d: step %s", f.path, s.line, s.name) }

// bind makes the call of a declared step.
func bind(path string, d declared, stages catalog, p place, c Config) (*step, error) {
	bad := func(line int, format string, args ...any) error {
		return fault.New(fault.Usage, "%s:%d: step %s: %w", path, line, d.name, fmt.Errorf(format, args...))
	}
	newBinding, ok := stages[d.stage]
	if !ok {
		return nil, bad(d.line, "there is no stage %q; there are %s", d.stage, strings.Join(stages.names(), ", "))
	}
	b := newBinding(p)
	if c.Resolve != nil {
		if err := c.Resolve(b.section); err != nil {
			return nil, err
		}
	}
	for _, a := range d.with {
		if !slices.Contains(b.section.Keys(), a.key) {
			return nil, bad(a.line, "stage %s has no setting %q; it has %s", d.stage, a.key, strings.Join(b.section.Keys(), ", "))
		}
		if err := b.section.Assign(a.key, fmt.Sprintf("%s:%d", path, a.line), a.values...); err != nil {
			return nil, bad(a.line, "%s: %w", a.key, err)
		}
	}
	if c.Force && slices.Contains(b.section.Keys(), "force") {
		if err := b.section.Assign("force", "--force", "true"); err != nil {
			return nil, bad(d.line, "%w", err)
		}
	}
	if n := len(d.args); n < b.least || n > b.most {
		return nil, bad(d.line, "stage %s takes %s, not %d", d.stage, arguments(b.least, b.most), n)
	}
	b.take(d.args)
	if err := b.check(); err != nil {
		return nil, bad(d.line, "%w", err)
	}
	s := &step{declared: d, binding: b, reads: b.reads(), writes: b.writes()}
	if d.ifExists != "" {
		s.ifExistsRef = p.file(d.ifExists)
	}
	return s, nil
}

func arguments(least, most int) string {
	switch {
	case most == 0:
		return "no arguments"
	case least == most && most == 1:
		return "one argument"
	case most == many:
		return fmt.Sprintf("at least %d arguments", least)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

// connect finds what each step needs.
func (p *plan) connect() error {
	for _, s := range p.steps {
		reads := s.reads
		if s.ifExists != "" {
			reads = append(slices.Clone(reads), s.ifExistsRef)
		}
		for _, other := range p.steps {
			if other == s {
				continue
			}
			for _, w := range other.writes {
				for _, r := range reads {
					p.depend(s, r, other, w)
				}
			}
			for _, w := range s.writes {
				if i := slices.IndexFunc(other.writes, func(o ref) bool { return o.name == w.name && !w.shared }); i >= 0 && s.number > other.number {
					return fault.New(fault.Usage, "%s writes %s, and so does step %s in line %d: give one of them another name", p.at(s.declared), w.name, other.name, other.line)
				}
			}
		}
	}
	return nil
}

// depend notes that reader reads r, if that is what writer writes. A model is read as it is when its turn comes: the
// order of the file decides between a reader of models and its writer.
func (p *plan) depend(reader *step, r ref, writer *step, w ref) {
	if !r.touches(w) {
		return
	}
	first, second, earlier := writer, reader, false
	if w.name == models && reader.number < writer.number {
		first, second, earlier = reader, writer, true
	}
	if !slices.ContainsFunc(second.needs, func(n need) bool { return n.on == first && n.earlier == earlier }) {
		second.needs = append(second.needs, need{first, w.name, earlier})
	}
}

// sort puts the steps in an order in which each comes after what it needs, and in the order of the file where there is a
// choice.
func (p *plan) sort() error {
	var sorted []*step
	left := slices.Clone(p.steps)
	for len(left) > 0 {
		next := slices.IndexFunc(left, func(s *step) bool {
			return !slices.ContainsFunc(s.needs, func(n need) bool { return slices.Contains(left, n.on) })
		})
		if next < 0 {
			return p.cycle(left)
		}
		sorted = append(sorted, left[next])
		left = slices.Delete(left, next, next+1)
	}
	p.steps = sorted
	return nil
}

// cycle explains steps of which each needs another.
func (p *plan) cycle(left []*step) error {
	var path []*step
	at := left[0]
	for !slices.Contains(path, at) {
		path = append(path, at)
		at = at.needs[slices.IndexFunc(at.needs, func(n need) bool { return slices.Contains(left, n.on) })].on
	}
	path = append(path[slices.Index(path, at):], at)
	var parts []string
	for i, s := range path[:len(path)-1] {
		n := s.needs[slices.IndexFunc(s.needs, func(n need) bool { return n.on == path[i+1] })]
		part := fmt.Sprintf("%s reads %s, which %s writes", s.name, n.what, n.on.name)
		if n.earlier {
			part = fmt.Sprintf("%s writes %s, which %s reads as it was before", s.name, n.what, n.on.name)
		}
		parts = append(parts, part)
	}
	return fault.New(fault.Usage, "%s: the steps wait for each other: %s", p.at(path[0].declared), strings.Join(parts, "; "))
}

// find is the step of a name, for --from and --until.
func (p *plan) find(flag, name string) (int, error) {
	i := slices.IndexFunc(p.steps, func(s *step) bool { return s.name == name })
	if i < 0 {
		var names []string
		for _, s := range p.steps {
			names = append(names, s.name)
		}
		return 0, fault.New(fault.Usage, "--%s %s: the pipeline %s has no such step; it has %s", flag, name, p.path, strings.Join(names, ", "))
	}
	return i, nil
}

// consumers are the steps that read what s writes.
func (p *plan) consumers(s *step) []*step {
	return slices.DeleteFunc(slices.Clone(p.steps), func(other *step) bool {
		return !slices.ContainsFunc(other.needs, func(n need) bool { return n.on == s && !n.earlier })
	})
}

// feedback reports whether r is the current model, which a later step replaces.
func (p *plan) feedback(s *step, r ref) bool {
	return r.name == models && slices.ContainsFunc(p.steps, func(other *step) bool {
		writes := slices.ContainsFunc(other.writes, func(w ref) bool { return w.name == models })
		return writes && (other == s || other.number > s.number)
	})
}
