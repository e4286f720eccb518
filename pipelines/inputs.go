package pipelines

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"dssdnet/internal/fault"
)

// inputsThere makes sure that what the steps read is there, or is written by a step that comes before.
func (r *run) inputsThere(ctx context.Context) error {
	absent := map[*step]bool{} // what their if-exists names is not there; it is looked at again when their turn comes
	for i := r.first; i <= r.last; i++ {
		s := r.plan.steps[i]
		if s.ifExists != "" {
			there, err := r.eyes.exists(ctx, s.ifExistsRef)
			if err != nil {
				return err
			}
			if absent[s] = !there; !there {
				continue
			}
		}
		for _, in := range s.reads {
			if in.optional || r.comes(s, in, absent) {
				continue
			}
			there, err := r.eyes.exists(ctx, in)
			if err != nil {
				return err
			}
			if !there {
				return fault.New(fault.Usage, "%s reads %s, which does not exist%s", r.plan.at(s.declared), in.name, r.missing(s, in))
			}
		}
	}
	return nil
}

// writers are the steps that write what s reads.
func (p *plan) writers(s *step, in ref) []*step {
	var all []*step
	for _, n := range s.needs {
		if !n.earlier && slices.ContainsFunc(n.on.writes, in.touches) {
			all = append(all, n.on)
		}
	}
	return all
}

// comes reports whether a step of this run writes what s reads before it.
func (r *run) comes(s *step, in ref, absent map[*step]bool) bool {
	return slices.ContainsFunc(r.plan.writers(s, in), func(w *step) bool {
		i := slices.Index(r.plan.steps, w)
		return i >= r.first && i <= r.last && !absent[w]
	})
}

// missing ends the sentence about an input that is not there.
func (r *run) missing(s *step, in ref) string {
	if writers := r.plan.writers(s, in); len(writers) > 0 {
		w := writers[0]
		switch i := slices.Index(r.plan.steps, w); {
		case i < r.first:
			return fmt.Sprintf(": step %s writes it, and --from %s leaves that out", w.name, r.From)
		case w.ifExists != "":
			return fmt.Sprintf(": step %s writes it, if there is %s", w.name, w.ifExists)
		}
		return fmt.Sprintf(": step %s, which writes it, has not done so", w.name)
	}
	if filepath.IsAbs(in.name) {
		return ", and no step of the pipeline writes it"
	}
	return fmt.Sprintf(" in workspace %s, and no step of the pipeline writes it", r.Workspace)
}
