package sampler

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/duck"
	"dssdnet/internal/shareddata"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
	"dssdnet/schemas/arrowfile"
)

// TestRealPatents samples real collections and holds the counts against SQL over the same tables.
func TestRealPatents(t *testing.T) {
	for _, name := range []string{"mini-core", "mini-wide"} {
		t.Run(name, func(t *testing.T) {
			if name == "mini-wide" && testing.Short() {
				t.Skip("reads 305 MB of XML; run without -short")
			}
			in := loadMini(t, filepath.Join(shareddata.Dir(t), "data", name), 1000)
			c := config(in.miniWorkspace(t))
			c.ValidShare = 0
			r := run(t, c)
			t.Logf("train: %d positives, %d negatives\n%s", r.Counts.Train.Positives, r.Counts.Train.Negatives, table(r.Counts.Train.Subclass))
			t.Logf("valid: %d positives, %d negatives\n%s", r.Counts.Valid.Positives, r.Counts.Valid.Negatives, table(r.Counts.Valid.Subclass))
			t.Logf("test: %d groups, %d rows\n%s", r.Counts.Test.Groups, r.Counts.Test.Rows, table(r.Counts.Test.Subclass))
			t.Logf("alpha %s, straddling %d, left out %v, warnings %q", r.Counts.alpha(), r.Counts.Straddling, r.Counts.Train.LeftOut, r.Warnings)

			db := views(t, c.Workspace)
			// Topics of a family that is also on a side that comes first, and golds without English text, make no pair.
			const related = `topic_id NOT IN (SELECT a.topic_id FROM topics a JOIN topics b ON a.family_id = b.family_id
				WHERE (a.split = 'train' AND b.split <> 'train') OR (a.split = 'valid' AND b.split = 'test'))`
			const golds = `SELECT DISTINCT t.split, q.topic_id, q.patent_id, list_has_any(t.ipc_subclasses, p.ipc_subclasses) AS t1
				FROM qrels q JOIN pools USING (topic_id, patent_id) JOIN topics t USING (topic_id) JOIN patents p ON p.patent_id = q.patent_id
				WHERE coalesce(p.title, p.abstract) IS NOT NULL AND ` + related
			for split, got := range map[string]Cells{"train": r.Counts.Train.Subclass, "valid": r.Counts.Valid.Subclass, "test": r.Counts.Test.Subclass} {
				want := [2]int64{
					count(t, db, "SELECT count(*) FROM ("+golds+") WHERE NOT t1 AND split = ?", split),
					count(t, db, "SELECT count(*) FROM ("+golds+") WHERE t1 AND split = ?", split),
				}
				if got[1] != want {
					t.Errorf("%s: golds in the pool by t are %v, by SQL %v", split, got[1], want)
				}
				if split != "test" && got[0][0]+got[0][1] != want[0]+want[1] {
					t.Errorf("%s: %v negatives for %v positives", split, got[0], got[1])
				}
			}
			if got, want := r.Counts.Test.Rows, count(t, db, "SELECT count(*) FROM pools JOIN topics USING (topic_id) WHERE split = 'test'"); got != want {
				t.Errorf("test has %d rows, by SQL %d", got, want)
			}

			c.Workers, c.Force = 8, true
			first := output(t, c)
			run(t, c)
			if !same(first, output(t, c)) {
				t.Error("two runs differ")
			}
			noGoldAmongNegatives(t, c, in.qrels)
		})
	}
}

func noGoldAmongNegatives(t *testing.T, c Config, qrels []schemas.Qrel) {
	t.Helper()
	golds := map[[2]string]bool{}
	for _, q := range qrels {
		golds[[2]string{q.TopicID, q.PatentID}] = true
	}
	for _, split := range []string{"train", "valid"} {
		for _, p := range slices.Concat(rows(t, c, split, arrowfile.Pairs)...) {
			if golds[[2]string{p.TopicID, p.DocID}] != (p.Label == 1) {
				t.Errorf("%s: topic %s and patent %s have label %d", split, p.TopicID, p.DocID, p.Label)
			}
		}
	}
}

// views opens DuckDB with the tables of a workspace.
func views(t *testing.T, ws workspace.Dir) *duck.DB {
	t.Helper()
	db, err := duck.Open(context.Background(), duck.Config{Memory: 512 << 20, Threads: 2, Temp: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for name, pattern := range map[string]string{"patents": "*.parquet", "topics": "*.parquet", "qrels": "*.parquet", "pools": "*/*.parquet"} {
		files := duck.Literal(filepath.Join(ws.Table(name), pattern))
		if _, err := db.Exec("CREATE TABLE " + name + " AS SELECT * FROM read_parquet(" + files + ")"); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func count(t *testing.T, db *duck.DB, query string, args ...any) int64 {
	t.Helper()
	var n sql.NullInt64
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n.Int64
}

// table is the table of label and domain.
func table(c Cells) string {
	return fmt.Sprintf("          t=1     t=0\nlabel 1 %6d  %6d\nlabel 0 %6d  %6d", c[1][1], c[1][0], c[0][1], c[0][0])
}

// TestStrategiesOnRealPatents draws by every strategy.
func TestStrategiesOnRealPatents(t *testing.T) {
	in := loadMini(t, filepath.Join(shareddata.Dir(t), "data", "mini-core"), 1000)
	c := config(in.miniWorkspace(t))
	c.ValidShare = 0
	for _, strategy := range sortedKeys(strategies()) {
		c.Negatives = []string{strategy}
		r := run(t, c)
		t.Logf("%s: fallbacks %d, left out %v\n%s", strategy, r.Counts.Train.Fallbacks, r.Counts.Train.LeftOut, table(r.Counts.Train.Subclass))
		if got := r.Counts.Train.Sources; got[strategy]+got["random"] < r.Counts.Train.Negatives || got[strategy] == 0 {
			t.Errorf("%s: sources are %v", strategy, got)
		}
		if strategy == arrowfile.SourceDomainBalanced && r.Counts.Train.Fallbacks == 0 {
			half := r.Counts.Train.Positives / 2
			if diff := cmp.Diff(Cells{{half, half}, {half, half}}, r.Counts.Train.Subclass); diff != "" {
				t.Errorf("label x domain is not balanced:\n%s", diff)
			}
		}
	}
}
