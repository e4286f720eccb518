package eval_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/eval"
	"dssdnet/internal/workspace"
)

// BenchmarkRun evaluates a run of 1,305 topics with 1,000 rows each, the size of the test topics of CLEF-IP 2011, with
// every measure at three cut-offs, and writes the report.
func BenchmarkRun(b *testing.B) {
	const topics, hits, golds = 1305, 1000, 8
	random := rand.New(rand.NewPCG(3, 5))
	var qrels, run strings.Builder
	for t := range topics {
		for rank := range hits {
			id := fmt.Sprintf("EP-%07d", 1000000+(t*hits+rank)*7919%2600000)
			if rank < golds {
				fmt.Fprintf(&qrels, "EP-%07d-A2\t%s\t1\n", 1000000+t, id)
			}
			fmt.Fprintf(&run, "EP-%07d-A2 Q0 %s %d %.6f model\n", 1000000+t, id, rank+1, random.NormFloat64())
		}
	}
	dir := b.TempDir()
	for name, text := range map[string]string{"qrels.txt": qrels.String(), "run.txt": run.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	c := eval.Default()
	c.Workspace, c.Qrels, c.Runs = workspace.Dir(filepath.Join(dir, "ws")), filepath.Join(dir, "qrels.txt"), []string{filepath.Join(dir, "run.txt")}
	b.SetBytes(int64(run.Len()))
	for b.Loop() {
		r, err := eval.Run(b.Context(), c)
		if err != nil || r.Topics != topics {
			b.Fatalf("%d topics, %v", r.Topics, err)
		}
	}
}
