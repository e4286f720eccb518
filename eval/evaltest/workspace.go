package evaltest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/index/indextest"
	"dssdnet/index/pool"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Workspace is a workspace with what it was made from.
type Workspace struct {
	workspace.Dir
	Topics []schemas.Topic
	Qrels  []schemas.Qrel
	Pool   map[string][]schemas.Pool // by topic, best first
	IPC    map[string][]string       // by patent: its subclasses
	random *rand.Rand
}

// Set and PoolName are the names of the qrels set and the pool.
const (
	Set      = "test"
	PoolName = "bm25"
)

var subclasses = []string{"A61K", "A61P", "B60R", "C07D", "F16H", "G06F", "G06N", "H04L"}

// words of titles and abstracts; the markup must come out of a report as text.
var words = strings.Fields(`gear housing polymer valve sensor signal frame resin filter rotor <b>bearing</b> coolant "shaft" packet router antibody & enzyme`)

// New makes a workspace: every topic has golds, of which some are outside its pool of hits candidates.
func New(t testing.TB, topics, patents, hits int) *Workspace {
	t.Helper()
	w := &Workspace{Dir: workspace.Dir(t.TempDir()), Pool: map[string][]schemas.Pool{}, IPC: map[string][]string{}, random: rand.New(rand.NewPCG(1, 2))}
	all := w.patents(t, patents)
	for i := range topics {
		w.topic(i, all, hits)
	}
	indextest.WriteTable(t, schemas.Topics, filepath.Join(w.Table("topics"), Set+".parquet"), w.Topics)
	indextest.WriteTable(t, schemas.Qrels, filepath.Join(w.Table("qrels"), Set+".parquet"), w.Qrels)
	w.writePool(t)
	return w
}

func (w *Workspace) phrase(n int) string {
	var phrase []string
	for range n {
		phrase = append(phrase, words[w.random.IntN(len(words))])
	}
	return strings.Join(phrase, " ")
}

func (w *Workspace) codes() []string {
	codes := []string{subclasses[w.random.IntN(len(subclasses))], subclasses[w.random.IntN(len(subclasses))]}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func (w *Workspace) patents(t testing.TB, n int) []schemas.Patent {
	var all []schemas.Patent
	for i := range n {
		all = append(all, schemas.Patent{
			PatentID: fmt.Sprintf("EP-%07d", 1000000+i), Country: "EP", TextLang: "en", Title: w.phrase(4), Abstract: w.phrase(30), IPCSubclasses: w.codes(),
		})
	}
	for _, p := range all {
		w.IPC[p.PatentID] = p.IPCSubclasses
	}
	indextest.WriteTable(t, schemas.Patents, filepath.Join(w.Table("patents"), "part-0.parquet"), all)
	return all
}

func (w *Workspace) topic(i int, all []schemas.Patent, hits int) {
	topic := schemas.Topic{
		TopicID: fmt.Sprintf("EP-%07d-A1", 3000000+i), PatentID: fmt.Sprintf("EP-%07d", 3000000+i), Set: Set, Split: "test",
		Lang: []string{"en", "de"}[i%2], Title: w.phrase(4), Abstract: w.phrase(30), IPCSubclasses: w.codes(),
	}
	order := w.random.Perm(len(all))[:hits+3]
	n := 1 + w.random.IntN(6)
	for g := range n {
		at := order[hits+g%3] // outside the pool
		if g > 0 || i%4 > 0 {
			at = order[w.random.IntN(hits)]
		}
		qrel := schemas.Qrel{TopicID: topic.TopicID, PatentID: all[at].PatentID, Grade: int32(1 + g%2), Set: Set}
		if !slices.ContainsFunc(w.Qrels, func(q schemas.Qrel) bool { return q.TopicID == qrel.TopicID && q.PatentID == qrel.PatentID }) {
			w.Qrels = append(w.Qrels, qrel)
		}
	}
	for rank, at := range order[:hits] {
		w.Pool[topic.TopicID] = append(w.Pool[topic.TopicID], schemas.Pool{
			TopicID: topic.TopicID, PatentID: all[at].PatentID, Rank: int32(rank + 1), Score: 40 / float64(rank+2), IndexBuild: "b",
		})
	}
	w.Topics = append(w.Topics, topic)
}

func (w *Workspace) writePool(t testing.TB) {
	t.Helper()
	writer, err := pool.NewWriter(pool.Dir(w.Dir, PoolName))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Discard()
	for _, topic := range w.Topics {
		if err := writer.Add(pool.Query{TopicID: topic.TopicID, Hits: len(w.Pool[topic.TopicID])}, w.Pool[topic.TopicID]); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Commit(manifest.Manifest{Stage: "index-search", Name: PoolName}); err != nil {
		t.Fatal(err)
	}
}

// Rerank writes a run file of the pool in a new order: scores are noise, and skill is added to those of golds.
func (w *Workspace) Rerank(t testing.TB, name string, skill float64, seed uint64) string {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	golds := map[string]bool{}
	for _, q := range w.Qrels {
		golds[q.TopicID+" "+q.PatentID] = true
	}
	var text strings.Builder
	for _, topic := range w.Topics {
		for _, c := range w.Pool[topic.TopicID] {
			score := random.NormFloat64()
			if golds[topic.TopicID+" "+c.PatentID] {
				score += skill
			}
			fmt.Fprintf(&text, "%s Q0 %s %d %g %s\n", topic.TopicID, c.PatentID, c.Rank, score, name)
		}
	}
	return w.File(t, name+".txt", text.String())
}

// File writes a text file into the workspace.
func (w *Workspace) File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(string(w.Dir), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
