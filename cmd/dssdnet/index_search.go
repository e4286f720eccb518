package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/index/enqueue"
	"dssdnet/index/inspect"
	"dssdnet/index/pool"
	"dssdnet/index/publish"
	"dssdnet/index/search"
	"dssdnet/index/worker"
)

// wordHits is how many patents an ad-hoc question shows; a pool's --hits is meant for re-rankers.
const wordHits = 20

func (a *app) indexSearchCommand() *cobra.Command {
	cfg, work, out := search.Default(), worker.Default(), publish.Default()
	work.FromTopic, out.Topic = "", ""
	var words string
	var c *cobra.Command
	c = a.stageCommand(stage{
		use:   "search --pool NAME",
		short: "topics/ to pools/NAME: the best patents of each topic by BM25",
		long: `Draws a pool for every topic: the --hits best patents by exact BM25 (float64, global statistics, ties by patent id) for
the bag of terms of the topic's title and abstract, without the topic's own patent and its family.

With -q it answers an ad-hoc question instead, with titles. With --topic the pool goes to a Kafka topic as well. With
--from-topic the queries come from a Kafka topic (dssdnet index enqueue fills one): any number of such processes share
the partitions, each with the whole index, and every query gives one pool.`,
		example: `  dssdnet index search --pool bm25 --sets 2011-test --trec bm25.txt.gz
  dssdnet index search -q "gas bubbles in a dyeing liquid"
  dssdnet index search --pool bm25 --from-topic queries --until-end`,
		args:    cobra.NoArgs,
		section: "index-search", config: &cfg, embedded: true,
		run: func(ctx context.Context, _ []string) (any, error) {
			switch {
			case words != "":
				ask := inspect.Default()
				ask.Workspace, ask.Words, ask.Config, ask.CacheBytes = a.workspace(), words, cfg.Config, cfg.CacheBytes
				if !c.Flags().Changed("hits") {
					ask.Hits = wordHits
				}
				return inspect.Ask(ctx, ask)
			case work.FromTopic != "":
				work.Pool, work.Config, work.CacheBytes, work.Workers = cfg.Pool, cfg.Config, cfg.CacheBytes, cfg.Workers
				return a.work(ctx, work)
			}
			cfg.Workspace, cfg.Log, cfg.Progress = a.workspace(), a.log, a.progress
			result, err := search.Run(ctx, cfg)
			if err != nil || out.Topic == "" {
				return result, err
			}
			out.Pool, out.Force = cfg.Pool, cfg.Force
			return result, a.publishPool(ctx, out)
		},
		print: func(w io.Writer, result any) error {
			switch result := result.(type) {
			case inspect.Answer:
				return printAnswer(w, result)
			case search.Result:
				return printPool(w, result)
			}
			return a.printResult(result)
		},
	})
	a.section(&work, "index-worker").AddFlags(c.Flags())
	a.section(&out, "index-publish").AddFlags(c.Flags())
	c.Flags().StringVarP(&words, "words", "q", "", "answer an ad-hoc question and write no pool")
	return c
}

func (a *app) work(ctx context.Context, cfg worker.Config) (any, error) {
	kafka, err := a.cluster(ctx)
	if err != nil {
		return nil, err
	}
	cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = a.workspace(), kafka, a.log, a.progress
	return worker.Run(ctx, cfg)
}

func (a *app) publishPool(ctx context.Context, cfg publish.Config) error {
	kafka, err := a.cluster(ctx)
	if err != nil {
		return err
	}
	cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = a.workspace(), kafka, a.log, a.progress
	result, err := publish.Run(ctx, cfg)
	if err == nil {
		a.log.Info("published the pool", "topic", cfg.Topic, "topics", result.Topics, "bytes", result.Bytes, "skipped", result.Skipped)
	}
	return err
}

func (a *app) indexEnqueueCommand() *cobra.Command {
	cfg := enqueue.Default()
	return a.stageCommand(stage{
		use:     "enqueue",
		short:   "topics/ to the Kafka topic queries, for index search --from-topic",
		long:    `Puts every topic into a Kafka topic, one record each, keyed by the topic's id.`,
		args:    cobra.NoArgs,
		section: "index-enqueue", config: &cfg, embedded: true,
		run: func(ctx context.Context, _ []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Workspace, cfg.Cluster, cfg.Log, cfg.Progress = a.workspace(), kafka, a.log, a.progress
			return enqueue.Run(ctx, cfg)
		},
	})
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

// printPool shows what was drawn, and how many golds the pools have by rank and domain.
func printPool(w io.Writer, r search.Result) error {
	if r.Skipped {
		fmt.Fprintln(w, "nothing has changed; the pool as it was:")
	}
	fmt.Fprintf(w, "%s candidates of %s topics in pools/%s, from index %s\n", thousands(r.Rows), thousands(r.Topics), r.Pool, r.Index)
	if r.EmptyQueries+r.ShortPools > 0 {
		fmt.Fprintf(w, "%d topics have no query term that a patent has, %d others fewer candidates than asked for\n", r.EmptyQueries, r.ShortPools)
	}
	for _, note := range r.Noted {
		fmt.Fprintf(w, "  %s\n", note)
	}
	if r.Quality != nil {
		if err := printQuality(w, "golds", *r.Quality); err != nil {
			return err
		}
		if r.Quality.Sound != nil {
			if err := printQuality(w, "without broken topics", *r.Quality.Sound); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "\n%.1f s, of these %.1f s to open the index\n", r.Seconds, r.OpenSeconds)
	return err
}

func printQuality(w io.Writer, name string, q pool.Quality) error {
	fmt.Fprintf(w, "\n%s: %d of %d topics, %d of them not indexed; %d topics have none in their pool\n",
		name, q.Golds, q.Topics, q.NotIndexed, q.TopicsWithoutGold)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\ttopics\tgolds\t")
	for _, at := range q.At {
		fmt.Fprintf(t, "in %d\trecall\t", at.K)
	}
	fmt.Fprintln(t)
	row := func(name string, topics, golds int, cutoffs []pool.Cutoff) {
		fmt.Fprintf(t, "%s\t%d\t%d\t", name, topics, golds)
		for _, at := range cutoffs {
			fmt.Fprintf(t, "%d\t%.3f\t", at.Found, at.Recall)
		}
		fmt.Fprintln(t)
	}
	row("all", q.Topics, q.Golds, q.At)
	for _, s := range q.Slices {
		if s.Golds > 0 {
			row(s.Name, s.Topics, s.Golds, s.At)
		}
	}
	return t.Flush()
}
