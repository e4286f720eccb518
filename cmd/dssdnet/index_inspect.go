package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/index/bm25"
	"dssdnet/index/inspect"
)

func (a *app) indexStatsCommand() *cobra.Command {
	cfg := inspect.Default()
	return a.stageCommand(stage{
		use:     "stats [WORD...]",
		short:   "What the index holds: sizes, lengths, frequent terms, and the document frequency of words",
		long:    `Describes the current build of the index. Words are analysed as text is, so "methods" shows the term it becomes.`,
		section: "index-inspect", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Terms = a.workspace(), args
			return inspect.Stats(ctx, cfg)
		},
	})
}

func (a *app) indexExplainCommand() *cobra.Command {
	cfg := inspect.Default()
	return a.stageCommand(stage{
		use:     "explain TOPIC PATENT",
		short:   "One score in its parts, term by term",
		long:    `Shows what each term of the topic gives to the patent's BM25 score, its rank, and why it would not be in a pool.`,
		example: `  dssdnet index explain PAC-1001 EP-0734121`,
		args:    cobra.ExactArgs(2),
		section: "index-explain", config: &cfg,
		run: func(ctx context.Context, args []string) (any, error) {
			cfg.Workspace, cfg.Topic, cfg.Patent = a.workspace(), args[0], args[1]
			return inspect.Explain(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return printExplanation(w, result.(inspect.Explanation)) },
	})
}

// printExplanation shows the terms that score, the best first, and how many do not.
func printExplanation(w io.Writer, e inspect.Explanation) error {
	fmt.Fprintf(w, "topic   %s  %s\npatent  %s  %s\n", e.TopicID, e.TopicTitle, e.PatentID, e.Title)
	fmt.Fprintf(w, "score   %.4f, rank %d (k1 %g, b %g, index %s)\n", e.Score, e.Rank, e.K1, e.B, e.Build)
	if e.Barred != "" {
		fmt.Fprintf(w, "barred  %s\n", e.Barred)
	}
	if e.Boost != 0 {
		fmt.Fprintf(w, "boost   %g\n", e.Boost)
	}
	for _, note := range e.Notes {
		fmt.Fprintf(w, "note    %s\n", note)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nterm\tfield\tin query\tdf\tidf\tin patent\tscore\t")
	silent := 0
	shares := slices.Clone(e.Shares)
	slices.SortStableFunc(shares, func(a, b bm25.Share) int { return cmp.Compare(b.Score, a.Score) })
	for _, s := range shares {
		if s.Frequency == 0 {
			silent++
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%g\t%d\t%.3f\t%d\t%.4f\t\n", s.Term, s.Field, s.Weight, s.DF, s.IDF, s.Frequency, s.Score)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d terms of the topic are not in the patent\n", silent)
	return err
}
