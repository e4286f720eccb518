package sampler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/schemas/arrowfile"
)

// written is a run that has written its files and not checked them.
func written(t *testing.T) *job {
	t.Helper()
	c := config(literal().workspace(t))
	c.ValidShare = 0
	j, err := newJob(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	if err := j.open(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(j.newDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for _, step := range []func(context.Context) error{j.read, j.draw, j.gather} {
		if err := step(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.write(ctx, nil); err != nil {
		t.Fatal(err)
	}
	return j
}

// rewrite changes the rows of a file; every batch of the result is a record batch.
func rewrite[R any](t *testing.T, j *job, name string, table arrowfile.Table[R], change func([]R) [][]R) {
	t.Helper()
	path := filepath.Join(j.newDir(), name)
	var all []R
	if err := eachBatch(context.Background(), path, table, func(_ int, rows []R) { all = append(all, rows...) }); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w, err := arrowfile.Create(path, table, arrowfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, batch := range change(all) {
		for i := range batch {
			if err := w.Append(&batch[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestChecksFail damages the files of a good run in one way each.
func TestChecksFail(t *testing.T) {
	pairs := func(change func(p []arrowfile.Pair) [][]arrowfile.Pair) func(*testing.T, *job) {
		return func(t *testing.T, j *job) { rewrite(t, j, "train-00000.arrow", arrowfile.Pairs, change) }
	}
	groups := func(change func(p []arrowfile.Judged) [][]arrowfile.Judged) func(*testing.T, *job) {
		return func(t *testing.T, j *job) { rewrite(t, j, "test-00000.arrow", arrowfile.Groups, change) }
	}
	texts := func(change func(p []arrowfile.Text) [][]arrowfile.Text) func(*testing.T, *job) {
		return func(t *testing.T, j *job) { rewrite(t, j, "texts.arrow", arrowfile.Texts, change) }
	}
	for name, test := range map[string]struct {
		damage func(*testing.T, *job)
		want   string // the check and how the failure begins; "" holds
	}{
		"nothing": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair { return [][]arrowfile.Pair{p} }), ""},
		"a batch of one label": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair { return [][]arrowfile.Pair{p[:1], p[1:]} }),
			"balance: record batch 0 of train-00000.arrow has 1 positives in 1 rows"},
		"a gold among negatives": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair {
			p[1].DocID, p[1].Domain = "EP-0000004", 0
			return [][]arrowfile.Pair{p}
		}), "labels: train-00000.arrow: topic PAC-1 and patent EP-0000004 have label 0"},
		"a negative called gold": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair {
			p[1].Source = arrowfile.SourceGold
			return [][]arrowfile.Pair{p}
		}), "labels: train-00000.arrow: topic PAC-1 and patent EP-0000006 have label 0 and source gold"},
		"another domain": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair { p[0].Domain = 0; return [][]arrowfile.Pair{p} }),
			"domains: train-00000.arrow: topic PAC-1 and patent EP-0000003 should have subclass=1"},
		"a topic of test in train": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair {
			p[0].TopicID, p[0].QueryID = "PAC-2", "EP-0000007"
			return [][]arrowfile.Pair{p}
		}), "sides: topic PAC-2 is in "},
		"an empty text": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair {
			p[1].DocTitle, p[1].DocAbstract = "", ""
			return [][]arrowfile.Pair{p}
		}), "texts: train-00000.arrow: the pair of topic PAC-1 and patent EP-0000006 has an empty text"},
		"an unknown patent": {pairs(func(p []arrowfile.Pair) [][]arrowfile.Pair { p[1].DocID = "EP-5"; return [][]arrowfile.Pair{p} }),
			"ids: train-00000.arrow: topic PAC-1, query EP-0000001 and patent EP-5 do not all resolve"},
		"a pair lost": {pairs(func([]arrowfile.Pair) [][]arrowfile.Pair { return nil }), "counts: train has 0 rows, 2 were counted"},
		"a group out of order": {groups(func(g []arrowfile.Judged) [][]arrowfile.Judged {
			g[0], g[1] = g[1], g[0]
			return [][]arrowfile.Judged{g}
		}), "groups: record batch 0 of test-00000.arrow holds topic PAC-2 rank 1 after topic PAC-2 rank 3"},
		"a group cut": {groups(func(g []arrowfile.Judged) [][]arrowfile.Judged { return [][]arrowfile.Judged{g[:1], g[1:]} }),
			"groups: the group of topic PAC-2 has 1 rows, its pool 4"},
		"a text lost":  {texts(func(x []arrowfile.Text) [][]arrowfile.Text { return [][]arrowfile.Text{x[:3]} }), "texts: the text of patent EP-0000009 is not in texts.arrow"},
		"a text twice": {texts(func(x []arrowfile.Text) [][]arrowfile.Text { x[3] = x[2]; return [][]arrowfile.Text{x} }), "ids: texts.arrow has the patent EP-0000008 twice"},
	} {
		t.Run(name, func(t *testing.T) {
			j := written(t)
			test.damage(t, j)
			err := j.check(context.Background())
			var failures []string
			for _, check := range j.result.Checks {
				if !check.Passed {
					failures = append(failures, check.Name+": "+check.Failure)
				}
			}
			if (err == nil) != (test.want == "") || !strings.Contains(fmt.Sprint(failures), test.want) {
				t.Errorf("failures %q with error %v, want %q", failures, err, test.want)
			}
		})
	}
}

// TestCheckFindsRelatives asks for a train and a test topic of one family, by putting them where they may not be.
func TestCheckFindsRelatives(t *testing.T) {
	lib := libraryOf(t, "EP-1 family=10", "EP-2 family=10", "EP-3")
	j := &job{lib: lib, topics: []topic{
		*topicOf(t, lib, topicRow{TopicID: "A", PatentID: "EP-1"}), *topicOf(t, lib, topicRow{TopicID: "B", PatentID: "EP-2"}),
		*topicOf(t, lib, topicRow{TopicID: "C", PatentID: "EP-3"}),
	}}
	for _, test := range []struct {
		sideOf map[int]side
		want   string
	}{
		{map[int]side{0: train, 1: train, 2: test}, ""},
		{map[int]side{0: train, 2: test}, ""},
		{map[int]side{0: train, 1: test, 2: test}, "topic A is in train and topic B in test, and both have family 10"},
	} {
		c := newChecker(j)
		c.sideOf = test.sideOf
		c.lineages()
		if got := c.failure[ruleSides]; got != test.want {
			t.Errorf("%v: %q, want %q", test.sideOf, got, test.want)
		}
	}
}
