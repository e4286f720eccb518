package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"dssdnet/eval/tables"
	"dssdnet/eval/trec"
	"dssdnet/index/pool"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// loadGolds reads the qrels of the call into topics, ascending by id.
func (e *Evaluation) loadGolds(ctx context.Context) error {
	broken := map[string]bool{}
	qrels := trec.NewQrels(e.Config.options())
	var err error
	if e.Config.Qrels != "" {
		if qrels, err = trec.ReadQrels(ctx, e.Config.Qrels, e.Config.options()); err != nil {
			return err
		}
		e.Inputs = append(e.Inputs, qrels.Input)
	} else if err := e.loadSet(ctx, qrels, broken); err != nil {
		return err
	}
	e.Qrels = qrels.Counts
	for _, id := range qrels.Topics() {
		t := Topic{ID: id, Broken: broken[id]}
		for _, gold := range qrels.Golds(id) {
			t.Golds = append(t.Golds, Gold{Gold: gold})
		}
		e.Topics = append(e.Topics, t)
	}
	return nil
}

// loadSet reads a set of the qrels table.
func (e *Evaluation) loadSet(ctx context.Context, qrels *trec.Qrels, broken map[string]bool) error {
	dir := e.Config.Workspace.Table(schemas.Qrels.Name)
	sets := map[string]bool{}
	err := tables.Each(ctx, dir, schemas.Qrels, func(path string, q *schemas.Qrel) error {
		sets[q.Set] = true
		if q.Set == e.Config.Set {
			qrels.Add(q.TopicID, q.PatentID, int(q.Grade))
			broken[q.TopicID] = broken[q.TopicID] || q.BrokenTopic
			if n := len(e.Inputs); n == 0 || e.Inputs[n-1].Path != path {
				e.Inputs = append(e.Inputs, manifest.Input{Path: path})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(qrels.Topics()) == 0 {
		return fault.New(fault.Usage, "--set: there is no qrels set %q with a gold in %s, which has %s: run dssdnet ingest qrels, or name a file with --qrels", e.Config.Set, dir, orNone(sets))
	}
	for i := range e.Inputs {
		if e.Inputs[i], err = manifest.HashInput(e.Inputs[i].Path); err != nil {
			return fmt.Errorf("read qrels: %w", err)
		}
	}
	return nil
}

func orNone(set map[string]bool) string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return cmp.Or(strings.Join(names, ", "), "none")
}

// loadTopics finds the topics in topics/. A topic id that stands in two sets is taken from the first file.
func (e *Evaluation) loadTopics(ctx context.Context) error {
	byID := map[string]*Topic{}
	for i := range e.Topics {
		byID[e.Topics[i].ID] = &e.Topics[i]
	}
	return tables.Each(ctx, e.Config.Workspace.Table(schemas.Topics.Name), schemas.Topics, func(_ string, row *schemas.Topic) error {
		if t := byID[row.TopicID]; t != nil && t.Row == nil {
			kept := *row
			kept.IPCSubclasses = slices.Clone(row.IPCSubclasses)
			t.Row = &kept
		}
		return nil
	})
}

// patentColumns are the columns of patents/ that an evaluation reads.
type patentColumns struct {
	PatentID      string   `parquet:"patent_id"`
	TextLang      string   `parquet:"text_lang,optional,dict"`
	IPCSubclasses []string `parquet:"ipc_subclasses,list"`
}

// loadPatents finds the golds in patents/ and notes which patents there are.
func (e *Evaluation) loadPatents(ctx context.Context) error {
	golds := map[string][]*Gold{}
	for i := range e.Topics {
		for g := range e.Topics[i].Golds {
			gold := &e.Topics[i].Golds[g]
			golds[gold.ID] = append(golds[gold.ID], gold)
		}
	}
	err := tables.Each(ctx, e.Config.Workspace.Table(schemas.Patents.Name), schemas.Patents, func(_ string, row *patentColumns) error {
		e.library.add(row.PatentID)
		if found := golds[row.PatentID]; found != nil {
			p := &Patent{IPC: slices.Clone(row.IPCSubclasses), Lang: row.TextLang}
			for _, gold := range found {
				gold.Patent = p
			}
		}
		return nil
	})
	e.library.sort()
	return err
}

// loadPool opens the pool and finds the golds in it.
func (e *Evaluation) loadPool() error {
	if e.Config.Pool == "" {
		return nil
	}
	dir := pool.Dir(e.Config.Workspace, e.Config.Pool)
	reader, err := pool.Open(dir)
	if err != nil {
		return err
	}
	e.pool = reader
	for i := range e.Topics {
		t := &e.Topics[i]
		candidates, err := reader.Topic(t.ID)
		if err != nil {
			return err
		}
		ranks := make(map[string]int, len(candidates))
		for _, c := range candidates {
			ranks[c.PatentID] = int(c.Rank)
		}
		for g := range t.Golds {
			t.Golds[g].PoolRank = ranks[t.Golds[g].ID]
		}
	}
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		input, err := manifest.HashInput(path)
		if err != nil {
			return fmt.Errorf("read pool: %w", err)
		}
		e.Inputs = append(e.Inputs, input)
	}
	return nil
}
