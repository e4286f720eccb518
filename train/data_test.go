package train

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas/arrowfile"
)

func passed(t *testing.T, d *dataset, o order) []string {
	t.Helper()
	var ids []string
	err := d.pass(t.Context(), o, func(p arrowfile.Pair) error {
		ids = append(ids, p.TopicID+" "+p.QueryTitle)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestShuffledPassesHoldEveryRowOnce(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	writePairs(t, ws, splitTrain, 0, 60)
	writePairs(t, ws, splitTrain, 1, 30)
	d, err := openDataset(filepath.Join(string(ws), "pairs", "default"), splitTrain)
	if err != nil {
		t.Fatal(err)
	}
	if d.rows != 90 || d.positives != 45 || d.alpha != "0.5" {
		t.Errorf("%d rows, %d positives, alpha %s", d.rows, d.positives, d.alpha)
	}
	plain := passed(t, d, order{})
	o := order{shuffle: true, seed: 1, buffer: 16}
	a := passed(t, d, o)
	if !slices.Equal(a, passed(t, d, o)) {
		t.Error("the same seed and epoch give another order")
	}
	o.epoch = 1
	if slices.Equal(a, passed(t, d, o)) {
		t.Error("the next epoch has the same order")
	}
	if slices.Equal(a, plain) {
		t.Error("nothing was shuffled")
	}
	slices.Sort(a)
	slices.Sort(plain)
	if !slices.Equal(a, plain) {
		t.Error("a shuffled pass does not hold every row once")
	}
}

func TestBadPairsAreRefusedBeforeTheFirstStep(t *testing.T) {
	row := func(label, domain int8) arrowfile.Pair {
		return arrowfile.Pair{Judged: arrowfile.Judged{TopicID: "PAC-1", DocID: "EP-9", Label: label, Domain: domain, Source: arrowfile.SourceGold}}
	}
	for name, c := range map[string]struct {
		rows []arrowfile.Pair
		want string
	}{
		"no shard":       {nil, "run dssdnet sample"},
		"an empty shard": {[]arrowfile.Pair{}, "no rows"},
		"label 2":        {[]arrowfile.Pair{row(0, 0), row(2, 0)}, "row 1 (PAC-1, EP-9): label 2"},
		"domain -1":      {[]arrowfile.Pair{row(0, -1)}, "domain -1 must be 0 or 1"},
		"one label only": {[]arrowfile.Pair{row(1, 0), row(1, 1)}, "same label"},
	} {
		dir := t.TempDir()
		if c.rows != nil {
			writeRows(t, filepath.Join(dir, "train-00000.arrow"), c.rows)
		}
		_, err := openDataset(dir, splitTrain)
		if err == nil || !strings.Contains(err.Error(), c.want) || fault.KindOf(err) != fault.Rejected {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamagedShardIsRefused(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	writePairs(t, ws, splitTrain, 0, 60)
	dir := filepath.Join(string(ws), "pairs", "default")
	path := filepath.Join(dir, "train-00000.arrow")
	if err := os.Truncate(path, 2000); err != nil {
		t.Fatal(err)
	}
	if _, err := openDataset(dir, splitTrain); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a shard cut short says %v", err)
	}
}
