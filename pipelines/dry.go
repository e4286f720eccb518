package pipelines

import (
	"context"
	"fmt"
	"slices"
)

// dry says what a run would do. It writes nothing: no table, no record, no run_results.json.
func (r *run) dry(ctx context.Context) (Result, error) {
	if holds(r.Workspace) {
		r.result.Warnings = append(r.result.Warnings, holder(r.Workspace)+": what it changes is not foreseen here")
	}
	if err := r.inputsThere(ctx); err != nil {
		return Result{}, err
	}
	moving := map[*step]bool{} // steps that would run, or may
	for i, s := range r.plan.steps {
		one := StepResult{Step: s.name, Stage: s.stage, Status: NotRun}
		switch {
		case i < r.first:
			one.Reason = "it comes before --from " + r.From
		case i > r.last:
			one.Reason = "it comes after --until " + r.Until
		default:
			d, err := r.decide(ctx, s)
			if err != nil {
				return Result{}, r.explain(s, err)
			}
			one.Status, one.Reason = WouldSkip, d.why
			if n := slices.IndexFunc(s.needs, func(n need) bool { return moving[n.on] && !n.earlier }); d.run {
				one.Status = WouldRun
			} else if n >= 0 {
				one.Status, one.Reason = MayRun, fmt.Sprintf("if step %s changes %s", s.needs[n].on.name, s.needs[n].what)
			}
			moving[s] = one.Status != WouldSkip
		}
		r.result.Steps = append(r.result.Steps, one)
	}
	r.result.Status, r.result.Seconds = "dry run", r.machine.now().Sub(r.started).Seconds()
	return r.result, nil
}
