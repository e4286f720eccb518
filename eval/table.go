package eval

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteTable shows a result to people: a line a measure, a column a run.
func (r Result) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "report %s: %d topics, %d golds", r.Report, r.Topics, r.Golds)
	if r.Pool != nil {
		fmt.Fprintf(w, "; pool %s: Recall@%d %.4f, no gold in it for %d topics", r.Pool.Name, ceilingDepth, r.Pool.Ceiling, r.Pool.TopicsWithoutGold)
	}
	fmt.Fprint(w, "\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, run := range r.Runs {
		fmt.Fprintf(t, "%s\t", run.Name)
	}
	fmt.Fprintln(t)
	kind := ""
	for _, measure := range r.Measures {
		name, _, _ := strings.Cut(measure, "@")
		if name != kind && kind != "" {
			fmt.Fprintln(t)
		}
		kind = name
		fmt.Fprintf(t, "%s\t", measure)
		for _, run := range r.Runs {
			fmt.Fprintf(t, "%s\t", cell(run.All.Values, measure))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if first := r.Measures[0]; len(r.Runs) > 0 {
		fmt.Fprintf(w, "\n%s by slice\n\n", first)
		fmt.Fprint(t, "\ttopics\tgolds\t")
		for _, run := range r.Runs {
			fmt.Fprintf(t, "%s\t", run.Name)
		}
		fmt.Fprintln(t)
		r.writeSliceRows(t, first)
		if err := t.Flush(); err != nil {
			return err
		}
	}
	for _, warning := range r.Warnings {
		if _, err := fmt.Fprintf(w, "\nwarning: %s", warning); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writeSliceRows writes a line for topics with a gold in the pool, and one for every part of a slice.
func (r Result) writeSliceRows(w io.Writer, measure string) {
	line := func(name string, of func(*RunResult) *Means) {
		first := of(&r.Runs[0])
		fmt.Fprintf(w, "%s\t%d\t%d\t", name, first.Topics, first.Golds)
		for i := range r.Runs {
			fmt.Fprintf(w, "%s\t", cell(of(&r.Runs[i]).Values, measure))
		}
		fmt.Fprintln(w)
	}
	line("gold in the pool", func(run *RunResult) *Means { return &run.Reachable })
	for i, part := range r.Runs[0].Slices {
		line(part.Slice+" "+part.Part, func(run *RunResult) *Means { return &run.Slices[i].Means })
	}
}

// cell is a value in a table.
func cell(values map[string]float64, measure string) string {
	value, ok := values[measure]
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%.4f", value)
}
