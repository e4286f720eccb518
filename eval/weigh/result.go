package weigh

import (
	"fmt"
	"io"
	"text/tabwriter"

	"dssdnet/eval"
)

// Result of one choice, as weights.json has it.
type Result struct {
	Set       string   `json:"set"`
	Topics    int      `json:"topics"`
	Pool      string   `json:"pool"`
	Runs      []string `json:"runs"` // averaged over
	Scale     string   `json:"scale"`
	Depth     int      `json:"depth"`
	By        string   `json:"by"`
	Measures  []string `json:"measures"`
	Weights   []Weight `json:"weights"`
	Chosen    Weight   `json:"chosen"`
	Unmatched int      `json:"unmatched"`      // candidates that only a run or the pool has
	File      string   `json:"file,omitempty"` // weights.json; not in itself
}

// Weight is a weight of the model and what the mixture measures.
type Weight struct {
	Weight float64            `json:"weight"`
	Values map[string]float64 `json:"values"` // by measure
}

func (c Config) newResult(e *eval.Evaluation) Result {
	r := Result{Set: c.Set, Topics: len(e.Topics), Pool: c.Pool, Runs: c.Models, Scale: c.Scale, Depth: c.Depth}
	for _, m := range e.Measures {
		r.Measures = append(r.Measures, m.String())
	}
	r.By = r.Measures[0]
	for i := range c.Steps + 1 {
		r.Weights = append(r.Weights, Weight{Weight: float64(i) / float64(c.Steps), Values: map[string]float64{}})
	}
	return r
}

func (r *Result) choose() {
	r.Chosen = r.Weights[0]
	for _, w := range r.Weights {
		if w.Values[r.By] > r.Chosen.Values[r.By] {
			r.Chosen = w
		}
	}
}

// WriteTable shows the weights to people.
func (r Result) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "set %s: %d topics, pool %s, mean of %d runs; weight 0 is the pool, 1 the model\n\n", r.Set, r.Topics, r.Pool, len(r.Runs))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "weight\t")
	for _, m := range r.Measures {
		fmt.Fprintf(t, "%s\t", m)
	}
	fmt.Fprintln(t, "\t")
	for _, row := range r.Weights {
		fmt.Fprintf(t, "%.3f\t", row.Weight)
		for _, m := range r.Measures {
			fmt.Fprintf(t, "%.4f\t", row.Values[m])
		}
		mark := ""
		if row.Weight == r.Chosen.Weight {
			mark = "<- chosen"
		}
		fmt.Fprintf(t, "%s\t\n", mark)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nhighest %s; for the topics of another set:\n  dssdnet eval interpolate RUN --pool %s --weights %s --run NAME\n", r.By, r.Pool, r.File)
	return err
}
