// Compare ranks the topics of a workspace with its index, with Lucene and, where DSSDNET_PYTHON has it, with bm25s. It
// prints the recall of each against the qrels, and how much of each pool is in the pool of the index.
//
//	go run ./index/peers/compare --workspace work
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"

	"dssdnet/index"
	"dssdnet/index/bm25"
	"dssdnet/index/peers"
	"dssdnet/index/pool"
	"dssdnet/index/query"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func main() {
	ws := flag.String("workspace", "work", "folder with patents/, topics/, qrels/ and index/")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, workspace.Dir(*ws))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, ws workspace.Dir) error {
	dir, err := os.MkdirTemp("", "dssdnet-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	own, err := search(ctx, ws)
	if err != nil {
		return err
	}
	ids, err := peers.WriteDocuments(dir, ws.Table("patents"), own.analyzer)
	if err != nil {
		return err
	}
	if err := peers.WriteTopics(dir, own.queries); err != nil {
		return err
	}
	golds, err := pool.LoadGolds(ws.Table("qrels"), nil)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	header(w)
	row(w, "dssdnet", own.pools, own.pools, golds)
	for _, lengths := range []peers.Lengths{peers.Bytes, peers.Exact} {
		figures, err := peers.Lucene(ctx, dir, own.deep, lengths)
		if err != nil {
			return err
		}
		if err := peerRow(w, fmt.Sprintf("Lucene %s, %s lengths", figures.Version, lengths), figures, ids, own, golds); err != nil {
			return err
		}
	}
	python := os.Getenv("DSSDNET_PYTHON")
	if !peers.HasBM25S(python) {
		return nil
	}
	figures, err := peers.BM25S(ctx, python, dir, own.deep)
	if err != nil {
		return err
	}
	return peerRow(w, "bm25s "+figures.Version, figures, ids, own, golds)
}

// ranking is what the index makes of the topics.
type ranking struct {
	analyzer string
	queries  []peers.Topic
	pools    map[string][]string
	excluded map[string][]string // patents that are no candidates
	deep     int                 // hits to ask of a peer so that a pool is left without the excluded
}

func search(ctx context.Context, ws workspace.Dir) (*ranking, error) {
	dir, err := index.Current(ws.Table("index"))
	if err != nil {
		return nil, err
	}
	ix, err := index.Open(ctx, dir, index.Options{CacheBytes: 1 << 30})
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	c := query.Default()
	planner, err := query.NewPlanner(ix, c)
	if err != nil {
		return nil, err
	}
	searcher := bm25.New(ix, c.Params()).Searcher()
	r := &ranking{analyzer: ix.Manifest().Analyzer, pools: make(map[string][]string), excluded: make(map[string][]string)}
	return r, query.EachTopic(ctx, ws.Table("topics"), nil, func(t *schemas.Topic) error {
		plan, err := planner.Topic(t)
		if err != nil {
			return err
		}
		hits, err := searcher.Search(ctx, &plan.Query)
		if err != nil {
			return err
		}
		r.deep = max(r.deep, c.Hits+len(plan.Exclude))
		r.queries = append(r.queries, peers.Topic{ID: t.TopicID, Terms: repeated(plan.Terms)})
		for _, hit := range hits {
			r.pools[t.TopicID] = append(r.pools[t.TopicID], ix.Patents().ID(hit.Patent))
		}
		for _, patent := range plan.Exclude {
			r.excluded[t.TopicID] = append(r.excluded[t.TopicID], ix.Patents().ID(patent))
		}
		return nil
	})
}

// repeated is every term as often as it counts.
func repeated(terms []bm25.Term) []string {
	var all []string
	for _, term := range terms {
		all = append(all, slices.Repeat([]string{term.Text}, int(term.Weight))...)
	}
	return all
}

func peerRow(w *tabwriter.Writer, name string, f *peers.Figures, ids []string, own *ranking, golds map[string]*pool.Golds) error {
	hits, err := peers.Hits(f.AllRun, ids)
	if err != nil {
		return err
	}
	for topic, found := range hits {
		found = slices.DeleteFunc(found, func(id string) bool { return slices.Contains(own.excluded[topic], id) })
		hits[topic] = found[:min(len(found), query.Default().Hits)]
	}
	row(w, name, hits, own.pools, golds)
	return nil
}

func header(w *tabwriter.Writer) {
	fmt.Fprint(w, "engine")
	for _, k := range pool.Cutoffs {
		fmt.Fprintf(w, "\tR@%d", k)
	}
	fmt.Fprint(w, "\toverlap, mean\tleast\tsame pool\n")
}

// row prints the mean recall over the topics with golds, and how the pools overlap with those of the index.
func row(w *tabwriter.Writer, name string, pools, own map[string][]string, golds map[string]*pool.Golds) {
	fmt.Fprint(w, name)
	for _, k := range pool.Cutoffs {
		sum, n := 0.0, 0
		for topic := range own {
			if g := golds[topic]; g != nil {
				sum += peers.Overlap(pools[topic][:min(k, len(pools[topic]))], g.Patents)
				n++
			}
		}
		fmt.Fprintf(w, "\t%.4f", sum/float64(cmp.Or(n, 1)))
	}
	sum, least, same := 0.0, 1.0, 0
	for topic, want := range own {
		overlap := peers.Overlap(pools[topic], want)
		sum, least = sum+overlap, min(least, overlap)
		if overlap == 1 {
			same++
		}
	}
	fmt.Fprintf(w, "\t%.4f\t%.3f\t%d of %d\n", sum/float64(max(1, len(own))), least, same, len(own))
}
