package eval_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/eval"
	"dssdnet/internal/workspace"
)

// TestAgreesWithTrecEval scores random runs and compares every topic with trec_eval, called through pytrec_eval.
func TestAgreesWithTrecEval(t *testing.T) {
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		t.Skip("needs a Python with pytrec_eval in DSSDNET_PYTHON: tests/interop/setup-venv.sh DIR makes one")
	}
	if out, err := exec.Command(python, "-c", "import pytrec_eval").CombinedOutput(); err != nil {
		t.Skipf("needs pytrec_eval (pip install pytrec-eval-terrier) in %s: %s", python, out)
	}
	const cases = 200
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(20, 26))
	for i := range cases {
		writeCase(t, random, filepath.Join(dir, fmt.Sprint(i)))
	}
	cmd := exec.Command(python, filepath.Join("testdata", "trec_eval.py"), dir, fmt.Sprint(cases))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var theirs []map[string]map[string]float64 // by case, topic and measure
	if err := json.Unmarshal(out, &theirs); err != nil {
		t.Fatal(err)
	}
	values, missing := 0, 0
	for i := range cases {
		n, m := compareCase(t, filepath.Join(dir, fmt.Sprint(i)), theirs[i])
		values, missing = values+n, missing+m
	}
	t.Logf("%d values agree, of which %d are of topics without a ranking", values, missing)
	if values < 10*cases || missing == 0 {
		t.Errorf("only %d values, %d of topics without a ranking, were compared", values, missing)
	}
}

// writeCase makes qrels and a run: graded, with topics that one of the two lacks, ties, scores that differ only beyond
// float32, negative scores, and ids whose order is not that of their numbers.
func writeCase(t *testing.T, random *rand.Rand, prefix string) {
	t.Helper()
	var qrels, run strings.Builder
	docs := 1 + random.IntN(400)
	for topic := range 1 + random.IntN(6) {
		judged, ranked := topic == 0 || random.IntN(5) > 0, topic == 0 || random.IntN(4) > 0
		for doc := range docs {
			if judged && (doc == 0 || random.IntN(12) == 0) {
				fmt.Fprintf(&qrels, "q%d 0 d%d %d\n", topic, doc*7919%1000, max(random.IntN(3), 1-doc))
			}
			if ranked && (doc == 0 || random.IntN(3) > 0) {
				fmt.Fprintf(&run, "q%d Q0 d%d %d %s tag\n", topic, doc*7919%1000, random.IntN(9), score(random))
			}
		}
	}
	for name, text := range map[string]string{prefix + ".qrels": qrels.String(), prefix + ".run": run.String()} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func score(random *rand.Rand) string {
	switch random.IntN(3) {
	case 0:
		return fmt.Sprint(random.IntN(5) - 2)
	case 1:
		return fmt.Sprintf("%.12f", 1+float64(random.IntN(8))*1e-9) // one float32
	}
	return fmt.Sprintf("%.6f", random.NormFloat64())
}

// peers are trec_eval's names of our measures.
var peers = map[string]string{
	"Recall@5": "recall_5", "Recall@100": "recall_100", "Recall@200": "recall_200", "AP@100": "map_cut_100", "AP@10": "map_cut_10", "AP": "map",
	"nDCG@10": "ndcg_cut_10", "nDCG@100": "ndcg_cut_100", "nDCG": "ndcg", "RR": "recip_rank", "Success@1": "success_1", "Success@5": "success_5",
}

func compareCase(t *testing.T, prefix string, theirs map[string]map[string]float64) (values, missing int) {
	t.Helper()
	c := eval.Default()
	c.Workspace, c.Qrels, c.Runs, c.Cutoffs, c.Measures = workspace.Dir(t.TempDir()), prefix+".qrels", []string{prefix + ".run"}, nil, nil
	for name := range peers {
		c.Measures = append(c.Measures, name)
	}
	e, err := eval.Evaluate(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for m, measure := range e.Measures {
		for i, topic := range e.Topics {
			want, ranked := theirs[topic.ID][peers[measure.String()]] // a topic without a ranking is not there, and 0
			if !ranked {
				missing++
			}
			if got := e.Runs[0].Values[m][i]; math.Abs(got-want) > 1e-6 {
				t.Errorf("%s, topic %s: %s is %v, trec_eval says %v", prefix, topic.ID, measure, got, want)
			}
			values++
		}
	}
	return values, missing
}
