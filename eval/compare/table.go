package compare

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
)

// WriteTable shows a comparison to people: for each measure a line a system, then the topics that changed most.
func (r Result) WriteTable(w io.Writer) error {
	fmt.Fprintf(w, "report %s: %d topics, compared with %s; * p < 0.05, ** p < 0.01 after Holm's correction\n", r.Report, r.Topics, r.Baseline)
	for m, measure := range r.Measures {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "\n%s\tmean\tseeds ±\tdifference\t%.0f %% from\tto\twins\tlosses\tties\tp\tholm\t\t\n", measure, 100*r.Confidence)
		for _, s := range r.Systems {
			score := s.Scores[m]
			deviation := ""
			if score.Deviation != nil {
				deviation = fmt.Sprintf("%.4f", *score.Deviation)
			}
			fmt.Fprintf(t, "%s\t%.4f\t%s\t", s.Name, score.Mean, deviation)
			if test := score.Test; test != nil {
				fmt.Fprintf(t, "%+.4f\t%+.4f\t%+.4f\t%d\t%d\t%d\t%s\t%s\t%s\t", test.Difference, test.Low, test.High, test.Wins, test.Losses, test.Ties, PValue(test.P), PValue(test.Holm), test.Stars())
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	for _, s := range r.Systems {
		writeChanges(w, "gains", r.By, s, s.Gains)
		writeChanges(w, "losses", r.By, s, s.Losses)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "\nwarning: %s\n", warning)
	}
	return nil
}

func writeChanges(w io.Writer, what, by string, s System, changes []Change) {
	if len(changes) == 0 {
		return
	}
	fmt.Fprintf(w, "\nbiggest %s of %s by %s\n", what, s.Name, by)
	for _, c := range changes {
		fmt.Fprintf(w, "  %.4f -> %.4f  %s  %.90s\n", c.Baseline, c.System, c.Topic, c.Title)
		for _, g := range c.Golds {
			fmt.Fprintf(w, "      %s -> %s  %s  %.80s\n", rank(g.Baseline), rank(g.System), g.Patent, g.Title)
		}
	}
}

func rank(n int) string {
	if n == 0 {
		return "   -"
	}
	return fmt.Sprintf("%4d", n)
}

// PValue is a p-value as people read it.
func PValue(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// Stars mark a difference that is significant after correction.
func (t *Test) Stars() string {
	switch {
	case t == nil || t.Holm >= 0.05:
		return ""
	case t.Holm >= 0.01:
		return "*"
	}
	return "**"
}

// csv is a line a system and measure.
func (r Result) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	rows := [][]string{{"name", "measure", "mean", "deviation", "difference", "low", "high", "wins", "losses", "ties", "p", "holm"}}
	for _, s := range r.Systems {
		for _, score := range s.Scores {
			row := []string{s.Name, score.Measure, number(score.Mean), "", "", "", "", "", "", "", "", ""}
			if score.Deviation != nil {
				row[3] = number(*score.Deviation)
			}
			if t := score.Test; t != nil {
				copy(row[4:], []string{number(t.Difference), number(t.Low), number(t.High), strconv.Itoa(t.Wins), strconv.Itoa(t.Losses), strconv.Itoa(t.Ties), number(t.P), number(t.Holm)})
			}
			rows = append(rows, row)
		}
	}
	_ = w.WriteAll(rows) // into memory
	return b.Bytes()
}
