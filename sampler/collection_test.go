package sampler

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// tables are the inputs of a run.
type tables struct {
	patents []schemas.Patent
	topics  []schemas.Topic
	qrels   []schemas.Qrel
	pools   []schemas.Pool // pools/bm25
}

// write puts the tables into a workspace, patents in files of perFile rows.
func (in tables) write(t testing.TB, ws workspace.Dir, perFile int) {
	t.Helper()
	for n := 0; n*perFile < len(in.patents); n++ {
		writeTable(t, ws, schemas.Patents, fmt.Sprintf("patents-%05d", n), in.patents[n*perFile:min((n+1)*perFile, len(in.patents))])
	}
	writeTable(t, ws, schemas.Topics, "topics", in.topics)
	writeTable(t, ws, schemas.Qrels, "qrels", in.qrels)
	writePool(t, ws, "bm25", in.pools)
}

func (in tables) workspace(t testing.TB) workspace.Dir {
	t.Helper()
	ws := workspace.Dir(t.TempDir())
	in.write(t, ws, 1000)
	return ws
}

func writePool(t testing.TB, ws workspace.Dir, name string, rows []schemas.Pool) {
	t.Helper()
	writeRows(t, schemas.Pools, filepath.Join(ws.Table("pools"), name, "part.parquet"), rows)
}

func writeTable[R any](t testing.TB, ws workspace.Dir, table schemas.Table, name string, rows []R) {
	t.Helper()
	writeRows(t, table, filepath.Join(ws.Table(table.Name), name+".parquet"), rows)
}

func writeRows[R any](t testing.TB, table schemas.Table, path string, rows []R) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := schemas.NewWriter[R](table, f)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// collection is a made-up CLEF-IP of any size. Every row is a function of its number, so that large ones can be
// written piece by piece.
type collection struct {
	patents, topics, hits int
	words                 int      // of an abstract
	splits                []string // of the topics, in turn
}

func (c collection) random(kind string, n int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(n), uint64(len(kind))<<32|uint64(kind[0])))
}

func patentName(n int) string { return fmt.Sprintf("EP-%07d", 1000000+n) }

// subclassOf gives neighbouring patents the same of 64 subclasses in 8 sections.
func (c collection) subclassOf(n int) string {
	s := n * 64 / c.patents
	return fmt.Sprintf("%c%02d%c", 'A'+s/8, 1+s/4, 'A'+s%4)
}

// patent n. Every 20th has no English text, every 15th no IPC code; neighbours in pairs are a family.
func (c collection) patent(n int) schemas.Patent {
	r := c.random("patent", n)
	p := schemas.Patent{
		PatentID: patentName(n), Country: "EP", FamilyID: fmt.Sprint(50000 + n/2), TextLang: "en",
		Title: c.prose(r, n, 8), Abstract: c.prose(r, n, c.words), PublicationDate: day(n),
	}
	if n%15 != 7 {
		p.IPCSubclasses = []string{c.subclassOf(n)}
		if n%3 == 0 {
			p.IPCSubclasses = append(p.IPCSubclasses, c.subclassOf(r.IntN(c.patents)))
		}
	}
	switch n % 20 {
	case 3:
		p.TitleDE, p.Title, p.Abstract, p.TextLang = p.Title, "", "", "de"
	case 4:
		p.Abstract = ""
	}
	return p
}

func day(n int) *schemas.Date {
	d := schemas.Date(7000 + n%5000)
	return &d
}

func (c collection) prose(r *rand.Rand, n, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%d", c.subclassOf(n), r.IntN(500))
	}
	b.WriteByte('.')
	return b.String()
}

// topic n with its golds and its pool: candidates near its patent, and far ones. One gold in four is outside the pool,
// every 10th topic has one that does not exist.
func (c collection) topic(n int) (schemas.Topic, []schemas.Qrel, []schemas.Pool) {
	r := c.random("topic", n)
	own := n * c.patents / c.topics
	split := c.splits[n%len(c.splits)]
	t := schemas.Topic{
		TopicID: fmt.Sprintf("PAC-%d", n), PatentID: patentName(own), UCID: patentName(own) + "-A1", Set: "made-" + split, Split: split, Lang: "en",
		Title: c.prose(r, own, 8), Abstract: c.prose(r, own, c.words), FamilyID: fmt.Sprint(50000 + own/2),
		EarliestPriorityDate: day(own), IPCSubclasses: []string{c.subclassOf(own)},
	}
	seen := map[int]bool{own: true, own ^ 1: true}
	pick := func(distance int) int { // up to so far from the topic's patent, in either direction
		for {
			p := (own + r.IntN(2*distance) - distance + c.patents) % c.patents
			if !seen[p] && p%20 != 3 {
				seen[p] = true
				return p
			}
		}
	}
	var golds []schemas.Qrel
	var pool []schemas.Pool
	var picked []int
	for range 3 + r.IntN(6) {
		p := pick([]int{c.patents / 128, c.patents / 128, c.patents / 2}[r.IntN(3)])
		golds = append(golds, schemas.Qrel{TopicID: t.TopicID, PatentID: patentName(p), Grade: 1 + int32(p%2), Set: t.Set})
		picked = append(picked, p)
	}
	if n%10 == 0 {
		golds = append(golds, schemas.Qrel{TopicID: t.TopicID, PatentID: fmt.Sprintf("EP-9%06d", n), Grade: 1, Set: t.Set})
	}
	var candidates []int
	for _, p := range picked {
		if r.IntN(4) > 0 {
			candidates = append(candidates, p)
		}
	}
	for len(candidates) < c.hits {
		candidates = append(candidates, pick(min(c.patents/2, 2*c.hits)))
	}
	r.Shuffle(len(candidates), func(i, k int) { candidates[i], candidates[k] = candidates[k], candidates[i] })
	for i, p := range candidates {
		pool = append(pool, schemas.Pool{TopicID: t.TopicID, PatentID: patentName(p), Rank: int32(i + 1), Score: float64(c.hits - i), IndexBuild: "b1"})
	}
	return t, golds, pool
}

func (c collection) tables() tables {
	var in tables
	for n := range c.patents {
		in.patents = append(in.patents, c.patent(n))
	}
	for n := range c.topics {
		t, golds, pool := c.topic(n)
		in.topics, in.qrels, in.pools = append(in.topics, t), append(in.qrels, golds...), append(in.pools, pool...)
	}
	return in
}

// smallTables are those of small, for the caller to change.
func smallTables() tables {
	in := smallOnce()
	return tables{slices.Clone(in.patents), slices.Clone(in.topics), slices.Clone(in.qrels), slices.Clone(in.pools)}
}

var smallOnce = sync.OnceValue(small.tables)

// small is enough for every strategy and takes a blink.
var small = collection{patents: 2000, topics: 40, hits: 60, words: 20, splits: []string{"train", "train", "train", "test"}}
