package repro

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"dssdnet/internal/manifest"
)

// WriteTable shows a result to people.
func (r Result) WriteTable(w io.Writer) error {
	for _, c := range r.Conditions {
		fmt.Fprintf(w, "%s\n", c.Name)
		for _, command := range c.Commands {
			fmt.Fprintf(w, "  $ %s\n", command.Command)
		}
		if c.Reason != "" {
			fmt.Fprintf(w, "  [%s] %s\n", c.Verdict, c.Reason)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, f := range c.Figures {
			fmt.Fprintf(t, "  [%s]\t%s\t%s\twant %s\n", f.Verdict, f.Name, f.got(), number(f.Want))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d OK, %d OKish, %d FAIL, %d conditions skipped, %.0f s\n", r.OK, r.OKish, r.Fail, r.Skipped, r.Seconds)
	return err
}

func (f FigureResult) got() string {
	if f.Got == nil {
		return f.Reason
	}
	return number(*f.Got)
}

// number has as many digits as a measure needs, and no more than a count has.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// markdown is the page of a reproduction, with the line for its log.
func (r Result) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Reproduction of %s\n\n%s\n", r.Matrix, r.About)
	for _, c := range r.Conditions {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", c.Name, c.Verdict)
		if c.Reason != "" {
			fmt.Fprintf(&b, "%s\n\n", c.Reason)
		}
		if len(c.Commands) > 0 {
			fmt.Fprint(&b, "```\n")
			for _, command := range c.Commands {
				fmt.Fprintln(&b, command.Command)
			}
			fmt.Fprint(&b, "```\n\n")
		}
		if len(c.Figures) > 0 {
			fmt.Fprint(&b, "| figure | expected | found | verdict |\n|---|--:|--:|---|\n")
			for _, f := range c.Figures {
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Name, number(f.Want), f.got(), f.Verdict)
			}
		}
	}
	fmt.Fprintf(&b, "\n## Log\n\n+ %d OK, %d OKish, %d FAIL, %d skipped, with dssdnet %s\n", r.OK, r.OKish, r.Fail, r.Skipped, manifest.Tool)
	return b.Bytes()
}
