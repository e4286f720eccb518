package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/index/inspect"
	"dssdnet/index/search"
)

// wordHits is how many patents an ad-hoc question shows; a pool's --hits is meant for re-rankers.
const wordHits = 20

func (a *app) indexSearchCommand() *cobra.Command {
	cfg := search.Default()
	var words string
	var c *cobra.Command
	c = a.stageCommand(stage{
		use:   "search --pool NAME",
		short: "topics/ to pools/NAME: the best patents of each topic by BM25",
		long: `Draws a pool for every topic: the --hits best patents by exact BM25 (float64, global statistics, ties by patent id) for
the bag of terms of the topic's title and abstract, without the topic's own patent and its family. With -q it answers
an ad-hoc question instead, with titles.`,
		example: `  dssdnet index search --pool bm25 --sets 2011-test --trec bm25.txt.gz
  dssdnet index search -q "gas bubbles in a dyeing liquid"`,
		args:    cobra.NoArgs,
		section: "index-search", config: &cfg,
		run: func(ctx context.Context, _ []string) (any, error) {
			if words != "" {
				ask := inspect.Default()
				ask.Workspace, ask.Words, ask.Config, ask.CacheBytes = a.workspace(), words, cfg.Config, cfg.CacheBytes
				if !c.Flags().Changed("hits") {
					ask.Hits = wordHits
				}
				return inspect.Ask(ctx, ask)
			}
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			return search.Run(ctx, cfg)
		},
		print: func(w io.Writer, result any) error {
			if answer, ok := result.(inspect.Answer); ok {
				return printAnswer(w, answer)
			}
			return a.printResult(result)
		},
	})
	c.Flags().StringVarP(&words, "words", "q", "", "answer an ad-hoc question and write no pool")
	return c
}

func printAnswer(w io.Writer, answer inspect.Answer) error {
	fmt.Fprintf(w, "terms: %s\n\n", strings.Join(answer.Terms, " "))
	for _, note := range answer.Notes {
		fmt.Fprintf(w, "note: %s\n", note)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, h := range answer.Hits {
		fmt.Fprintf(t, "%d\t%.4f\t%s\t%s\t%s\n", h.Rank, h.Score, h.PatentID, h.Title, strings.Join(h.Subclasses, " "))
	}
	return t.Flush()
}
