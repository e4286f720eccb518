package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"dssdnet/eval/compare"
)

// markdown is report.md.
func markdown(d Data) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%d topics, %d golds.", d.Title, d.Eval.Topics, d.Eval.Golds)
	if p := d.Eval.Pool; p != nil {
		fmt.Fprintf(&b, " Pool %s: Recall@1000 %.4f; %d topics have no gold in it.", p.Name, p.Ceiling, p.TopicsWithoutGold)
	}
	fmt.Fprintf(&b, " Averages are over all topics; `*` p < 0.05, `**` p < 0.01 against %s (paired randomization test, Holm's correction over the systems); ± is the standard deviation over seeds. MAP is the paper's, AP is trec_eval's map.\n", d.Compare.Baseline)
	if d.Gate != nil {
		fmt.Fprintf(&b, "\n> **Gate** %s\n", d.Gate)
	}
	for _, warning := range d.Eval.Warnings {
		fmt.Fprintf(&b, "\n> **Warning** %s\n", warning)
	}
	writeScores(&b, d.Compare)
	writeDomains(&b, d)
	writeProvenance(&b, d)
	return b.Bytes()
}

func writeScores(w io.Writer, c compare.Result) {
	fmt.Fprintf(w, "\n## Measures\n\n| system |")
	for _, m := range c.Measures {
		fmt.Fprintf(w, " %s |", m)
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("--:|", len(c.Measures)))
	for _, s := range c.Systems {
		fmt.Fprintf(w, "| %s |", s.Name)
		for _, score := range s.Scores {
			fmt.Fprintf(w, " %.4f", score.Mean)
			if score.Deviation != nil {
				fmt.Fprintf(w, " ± %.4f", *score.Deviation)
			}
			fmt.Fprintf(w, "%s |", strings.ReplaceAll(score.Test.Stars(), "*", `\*`))
		}
		fmt.Fprintln(w)
	}
}

// writeDomains is the first measure by slice.
func writeDomains(w io.Writer, d Data) {
	fmt.Fprintf(w, "\n## %s by slice\n\n| slice | part | topics | golds |", d.Eval.Measures[0])
	for _, s := range d.Compare.Systems {
		fmt.Fprintf(w, " %s |", s.Name)
	}
	fmt.Fprintf(w, "\n|---|---|--:|--:|%s\n", strings.Repeat("--:|", len(d.Compare.Systems)))
	for _, p := range d.Slices {
		fmt.Fprintf(w, "| %s | %s | %d | %d |", p.Slice, p.Part, p.Topics, p.Golds)
		for _, values := range p.Values {
			if values[0] == nil {
				fmt.Fprint(w, " |")
			} else {
				fmt.Fprintf(w, " %.4f |", *values[0])
			}
		}
		fmt.Fprintln(w)
	}
}

func writeProvenance(w io.Writer, d Data) {
	fmt.Fprintf(w, "\n## Made from\n\n| what | name | sha256 |\n|---|---|---|\n")
	for _, r := range d.Sources.Runs {
		if r.File != "" {
			fmt.Fprintf(w, "| run %s | %s | `%s` |\n", r.Name, r.File, r.SHA256)
		}
		if r.Checkpoint != "" {
			fmt.Fprintf(w, "| model of %s | %s | `%s` |\n", r.Name, r.Training, r.Checkpoint)
		}
	}
	for _, s := range d.Sources.Inputs {
		fmt.Fprintf(w, "| input | %s | `%s` |\n", s.Name, s.SHA256)
	}
	for _, t := range d.Trainings {
		fmt.Fprintf(w, "| pairs of training %s | model %s, seed %d | `%s` |\n", t.Name, t.Model, t.Seed, t.Pairs)
	}
	fmt.Fprintf(w, "\nWritten by dssdnet %s.\n", d.Tool)
}
