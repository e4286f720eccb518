package sampler

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

func TestBadInput(t *testing.T) {
	for name, test := range map[string]struct {
		change func(in *tables, c *Config)
		kind   fault.Kind
		want   string
	}{
		"no pool": {func(_ *tables, c *Config) { c.Pool = []string{"dense"} }, fault.Rejected, "run dssdnet index search --pool dense"},
		"pool of two builds": {func(in *tables, _ *Config) { in.pools[3].IndexBuild = "b2" }, fault.Rejected,
			"searched in index build b2, other rows of the pools in build b1"},
		"pool of an older library": {func(in *tables, _ *Config) {
			in.patents = slices.DeleteFunc(in.patents, func(p schemas.Patent) bool { return p.PatentID == in.pools[5].PatentID })
		}, fault.Rejected,
			"which patents/ does not have: the pool is of an older index build"},
		"pool out of order": {func(in *tables, _ *Config) { in.pools[2], in.pools[3] = in.pools[3], in.pools[2] }, fault.Rejected, "rank 4 follows where 3 should"},
		"pool with a patent twice": {func(in *tables, _ *Config) { in.pools[7].PatentID = in.pools[3].PatentID }, fault.Rejected,
			"stands twice: the pool is damaged"},
		"topic in two places of the pool": {func(in *tables, _ *Config) { in.pools = append(in.pools, in.pools[:small.hits]...) }, fault.Rejected,
			"topic PAC-0: its rows stand in two places"},
		"patent twice": {func(in *tables, _ *Config) { in.patents = append(in.patents, in.patents[5]) }, fault.Rejected, "patent EP-1000005 stands twice in patents/"},
		"topic in two sets": {func(in *tables, _ *Config) {
			again := in.topics[0]
			again.Set = "other"
			in.topics = append(in.topics, again)
		}, fault.Rejected, "topic PAC-0 stands twice, in the sets made-train and other"},
		"unknown split":   {func(in *tables, _ *Config) { in.topics[0].Split = "dev" }, fault.Rejected, `split "dev" is neither train, valid nor test`},
		"unknown set":     {func(_ *tables, c *Config) { c.Sets = []string{"2010"} }, fault.Rejected, `--sets names "2010", topics/ has only made-test, made-train`},
		"no such qrels":   {func(_ *tables, c *Config) { c.QrelsSets = []string{"2011"} }, fault.Rejected, "name the ones to use with --qrels-sets"},
		"no gold in pool": {func(in *tables, _ *Config) { in.qrels = in.qrels[:1]; in.qrels[0].PatentID = "EP-9999999" }, fault.Rejected, "none of the 27 train topics has a pair: of 1 golds 0 are in patents/"},
		"no IPC": {func(in *tables, c *Config) {
			c.Negatives = []string{"domain-balanced"}
			for i := range in.patents {
				in.patents[i].IPCSubclasses = nil
			}
		}, fault.Rejected, "no patent of the library has one: use random or pool"},
	} {
		t.Run(name, func(t *testing.T) {
			in := smallTables()
			c := config("")
			test.change(&in, &c)
			c.Workspace = in.workspace(t)
			_, err := Run(context.Background(), c)
			if err == nil || !strings.Contains(err.Error(), test.want) || fault.KindOf(err) != test.kind {
				t.Errorf("error of kind %v: %v\nwant kind %v: %s", fault.KindOf(err), err, test.kind, test.want)
			}
			if _, err := os.Stat(filepath.Join(string(c.Workspace), "pairs")); err == nil {
				t.Error("something was written")
			}
		})
	}
}

func TestPoolOfAnotherBuild(t *testing.T) {
	c := config(smallTables().workspace(t))
	if err := os.MkdirAll(filepath.Join(string(c.Workspace), "index"), 0o755); err != nil {
		t.Fatal(err)
	}
	current := filepath.Join(string(c.Workspace), "index", "CURRENT")
	if err := os.WriteFile(current, []byte("b2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(context.Background(), c)
	if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "searched in index build b1, the current build is b2") {
		t.Errorf("error is %v", err)
	}
	c.AllowStalePool = true
	run(t, c)
	if err := os.WriteFile(current, []byte("b1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.AllowStalePool = false
	run(t, c)
}

// TestCountedTrouble samples what is odd and not wrong: it is counted and said.
func TestCountedTrouble(t *testing.T) {
	in := smallTables()
	in.qrels = slices.DeleteFunc(in.qrels, func(q schemas.Qrel) bool { return q.TopicID == "PAC-1" })
	in.pools = slices.DeleteFunc(in.pools, func(p schemas.Pool) bool { return p.TopicID == "PAC-2" })
	for i := range in.patents {
		in.patents[i].IPCSubclasses = nil
	}
	c := config(in.workspace(t))
	c.ValidShare = 0
	r := run(t, c)
	if got := r.Counts.Train; got.TopicsWithoutGolds != 1 || got.TopicsWithoutPool != 1 || got.Unreachable != 4 || got.Known != [2]int64{} {
		t.Errorf("counts are %+v", got)
	}
	for _, want := range []string{
		"no patent of the library has an IPC code", "train: 1 topics have no gold", "train: 1 topics have no pool",
		"train: 4 golds are not in patents/", "train: no pair has label 1 and t = 1",
	} {
		if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("no warning %q in %q", want, r.Warnings)
		}
	}
}

func TestUsage(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"--pairs":                  func(c *Config) { c.Pairs = "../p" },
		"no pool given":            func(c *Config) { c.Pool = nil },
		"--pool":                   func(c *Config) { c.Pool = []string{"a/b"} },
		"--negatives":              func(c *Config) { c.Negatives = nil },
		"--negatives-per-positive": func(c *Config) { c.NegativesPerPositive = 0 },
		"--pool-rank-from":         func(c *Config) { c.PoolRankFrom = 0 },
		"--pool-rank-to":           func(c *Config) { c.PoolRankFrom, c.PoolRankTo = 5, 4 },
		"--valid-share":            func(c *Config) { c.ValidShare = 1 },
		"--max-golds-per-topic":    func(c *Config) { c.MaxGoldsPerTopic = -1 },
		"--batch-rows":             func(c *Config) { c.BatchRows = 1 },
		"--shard-bytes":            func(c *Config) { c.ShardBytes = 0 },
		"--compression":            func(c *Config) { c.Compression = "zstd" },
		"--format":                 func(c *Config) { c.Format = "csv" },
		"--workers":                func(c *Config) { c.Workers = -1 },
	} {
		c := config("")
		change(&c)
		if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want one about %s", err, want)
		}
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, config(smallTables().workspace(t))); err == nil {
		t.Error("a canceled run goes through")
	}
}
