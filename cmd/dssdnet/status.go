package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dssdnet/pipelines"
)

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "What the workspace holds, how old it is, and what made it",
		Long: `Lists the tables of the workspace: rows, size, age, the step of a pipeline that made each, and what has changed since,
so that a run would make it again. Kafka is not asked: what waits in a topic does not show.

` + exitTable,
		Example: `  dssdnet status --workspace work/demo`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			result, err := pipelines.Status(c.Context(), a.workspace())
			if err != nil {
				return err
			}
			if a.global.JSON {
				return a.printResult(result)
			}
			return printStatus(a.stdout, result, time.Now())
		},
	}
}

func printStatus(w io.Writer, r pipelines.StatusResult, now time.Time) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "table\trows\tfiles\tsize\tage\tmade by\tstale")
	for _, table := range r.Tables {
		rows, by, stale := "", "", ""
		if table.Rows != nil {
			rows = thousands(*table.Rows)
		}
		if table.Step != "" {
			by = fmt.Sprintf("%s.%s, dssdnet %s, config %s", table.Pipeline, table.Step, table.Tool, table.ConfigHash)
			stale = "no"
		}
		if table.Stale != "" {
			stale = table.Stale
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", table.Name, rows, thousands(int64(table.Files)), sizeText(table.Bytes), ageText(table.Age(now)), by, stale)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if l := r.Last; l != nil {
		fmt.Fprintf(w, "\nlast run: %s, %s, begun %s\n", l.Pipeline, l.Status, l.Started.Local().Format(time.DateTime))
		if l.Step != "" {
			fmt.Fprintf(w, "  step %s: %s\n", l.Step, l.Error)
		}
	}
	if r.Held != "" {
		fmt.Fprintf(w, "\nnow: %s\n", r.Held)
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	return nil
}

// ageText is a duration in the largest unit that leaves a number.
func ageText(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 48*time.Hour:
		return fmt.Sprintf("%.0f h", d.Hours())
	}
	return fmt.Sprintf("%.0f days", d.Hours()/24)
}
