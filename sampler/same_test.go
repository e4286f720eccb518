package sampler

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
	"dssdnet/schemas/arrowfile"
)

// TestBytesAreForever samples with every strategy, with 1 and 8 workers, and again.
func TestBytesAreForever(t *testing.T) {
	ws := smallTables().workspace(t)
	for _, negatives := range [][]string{{"random"}, {"pool"}, {"pool-same-subclass"}, {"domain-balanced"}, {"random=0.4", "pool=0.3", "domain-balanced=0.3"}} {
		c := config(ws)
		c.Negatives, c.NegativesPerPositive, c.BatchRows, c.ShardBytes, c.Format, c.Force = negatives, 2, 50, 9_000, FormatJSONL, true
		var first map[string][]byte
		for _, workers := range []int{1, 8, 8} {
			c.Workers = workers
			run(t, c)
			files := output(t, c)
			if first == nil {
				first = files
			}
			for name := range first {
				if !bytes.Equal(files[name], first[name]) || len(files) != len(first) {
					t.Errorf("%v with %d workers: %s differs", negatives, workers, name)
				}
			}
		}
		if _, ok := first["train-00002.arrow"]; !ok {
			t.Errorf("%v: the shards are too few to tell: %d files", negatives, len(first))
		}
	}
}

// TestInputOrderLeavesNoTrace shuffles the rows of every table and cuts the library otherwise.
func TestInputOrderLeavesNoTrace(t *testing.T) {
	in := smallTables()
	c := config(in.workspace(t))
	c.Negatives = []string{"random=0.5", "pool=0.25", "domain-balanced=0.25"}
	run(t, c)

	r := rand.New(rand.NewPCG(1, 2))
	r.Shuffle(len(in.patents), func(i, k int) { in.patents[i], in.patents[k] = in.patents[k], in.patents[i] })
	r.Shuffle(len(in.topics), func(i, k int) { in.topics[i], in.topics[k] = in.topics[k], in.topics[i] })
	r.Shuffle(len(in.qrels), func(i, k int) { in.qrels[i], in.qrels[k] = in.qrels[k], in.qrels[i] })
	var pools []schemas.Pool
	for _, topic := range r.Perm(small.topics) {
		for _, row := range in.pools {
			if row.TopicID == fmt.Sprintf("PAC-%d", topic) {
				pools = append(pools, row)
			}
		}
	}
	in.pools = pools
	shuffled := c
	shuffled.Workspace = workspace.Dir(t.TempDir())
	in.write(t, shuffled.Workspace, 77)
	run(t, shuffled)

	if diff := cmp.Diff(rows(t, c, "train", arrowfile.Pairs), rows(t, shuffled, "train", arrowfile.Pairs)); diff != "" {
		t.Errorf("train:\n%s", diff)
	}
	if diff := cmp.Diff(rows(t, c, "test", arrowfile.Groups), rows(t, shuffled, "test", arrowfile.Groups)); diff != "" {
		t.Errorf("test:\n%s", diff)
	}
}

// TestTopicsAreIndependent samples half of the topics alone: their pairs are those they had among the others.
func TestTopicsAreIndependent(t *testing.T) {
	in := smallTables()
	all := config(in.workspace(t))
	run(t, all)
	kept := map[string]bool{}
	in.topics = slices.DeleteFunc(in.topics, func(topic schemas.Topic) bool { return len(topic.TopicID)%2 == 0 })
	for _, topic := range in.topics {
		kept[topic.TopicID] = true
	}
	half := config(in.workspace(t))
	run(t, half)
	for _, split := range []string{"train", "valid"} {
		var want []arrowfile.Pair
		for _, p := range slices.Concat(rows(t, all, split, arrowfile.Pairs)...) {
			if kept[p.TopicID] {
				want = append(want, p)
			}
		}
		if diff := cmp.Diff(want, slices.Concat(rows(t, half, split, arrowfile.Pairs)...)); diff != "" {
			t.Errorf("%s of half of the topics (- among all, + alone):\n%s", split, diff)
		}
	}
}

func TestSeedsDiffer(t *testing.T) {
	c := config(smallTables().workspace(t))
	run(t, c)
	first := rows(t, c, "train", arrowfile.Pairs)
	c.Seed = 2
	run(t, c)
	if cmp.Equal(first, rows(t, c, "train", arrowfile.Pairs)) {
		t.Error("two seeds draw the same")
	}
}

func TestSkipsWhatIsDone(t *testing.T) {
	in := smallTables()
	c := config(in.workspace(t))
	first := run(t, c)
	again := run(t, c)
	if !again.Skipped || !cmp.Equal(again.Counts, first.Counts) {
		t.Errorf("the second run: skipped %v, counts equal %v", again.Skipped, cmp.Equal(again.Counts, first.Counts))
	}
	c.Workers = 1
	if !run(t, c).Skipped {
		t.Error("another number of workers samples again")
	}
	record := filepath.Join(c.Workspace.Manifests(), "sample.p.json")
	if err := os.Remove(record); err != nil {
		t.Fatal(err)
	}
	if !run(t, c).Skipped {
		t.Error("without the stage's manifest it samples again")
	}
	if _, err := os.Stat(record); err != nil {
		t.Errorf("the stage's manifest is not mended: %v", err)
	}
	for what, change := range map[string]func(){
		"force":  func() { c.Force = true },
		"seed":   func() { c.Force, c.Seed = false, 5 },
		"inputs": func() { writeTable(t, c.Workspace, schemas.Qrels, "more", in.qrels[:1]) },
		"a file": func() {
			if err := os.Truncate(filepath.Join(string(c.Workspace), "pairs", "p", "train-00000.arrow"), 100); err != nil {
				t.Fatal(err)
			}
		},
	} {
		if change(); run(t, c).Skipped {
			t.Errorf("skipped though there is a reason: %s", what)
		}
		c.Force = false
		if !run(t, c).Skipped {
			t.Errorf("not skipped after: %s", what)
		}
	}
	left, err := filepath.Glob(filepath.Join(string(c.Workspace), "tmp", "*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left over: %v %v", left, err)
	}
}
