package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/sampler"
)

func (a *app) sampleCommand() *cobra.Command {
	cfg := sampler.Default()
	return a.stageCommand(stage{
		use:   "sample --pairs NAME --pool NAME",
		short: "Pools and qrels to label-balanced pairs in pairs/NAME",
		long: `Writes what a trainer reads: every gold in a topic's pool as a positive pair, for each of them a negative drawn from the
library, and for test topics the whole pool as a group to re-rank. Each pair says whether its two patents share an
IPC subclass. The files are Arrow IPC; their README.md is a card with the counts.`,
		example: `  dssdnet sample --pairs plain --pool bm25 --sets 2010-train,2011-test
  dssdnet sample --pairs mixed --pool bm25 --negatives random=0.7,pool=0.3`,
		args:    cobra.NoArgs,
		section: "sample", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return sampler.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return printSample(w, result.(sampler.Result)) },
	})
}

// printSample shows the sizes, the table of label by domain, and what is to be noticed.
func printSample(w io.Writer, r sampler.Result) error {
	c := r.Counts
	if r.Skipped {
		fmt.Fprintln(w, "nothing has changed; pairs as they were:")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\ttopics\tgolds\tin pool\tlabel 1\tof these t=1\tt=0\tlabel 0\tof these t=1\tt=0\t")
	for _, side := range []struct {
		name  string
		golds sampler.GoldCounts
		cells sampler.Cells
	}{{"train", c.Train.GoldCounts, c.Train.Subclass}, {"valid", c.Valid.GoldCounts, c.Valid.Subclass}, {"test", c.Test.GoldCounts, c.Test.Subclass}} {
		zero, one := side.cells[0], side.cells[1]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", side.name, side.golds.Topics, side.golds.Golds, side.golds.InPool,
			one[0]+one[1], one[1], one[0], zero[0]+zero[1], zero[1], zero[0])
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if c.Alpha != nil {
		fmt.Fprintf(w, "alpha %.4f, the share of t=0 among the training pairs\n", *c.Alpha)
	}
	if c.Straddling > 0 {
		fmt.Fprintf(w, "%d topics left out: their families are on another side\n", c.Straddling)
	}
	for _, check := range r.Checks {
		if !check.Passed {
			fmt.Fprintf(w, "check %s failed: %s\n", check.Name, check.Failure)
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	_, err := fmt.Fprintf(w, "%d files, %s bytes in pairs/%s; README.md there says more\n", len(r.Files), thousands(r.Bytes), r.Pairs)
	return err
}
