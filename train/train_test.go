package train

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/workspace"
	"dssdnet/sampler"
	"dssdnet/schemas/arrowfile"
	"dssdnet/train/bert"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
	"dssdnet/train/wordpiece"
)

var words = strings.Fields("pump valve rotor seal polymer enzyme laser lens battery anode gear brake syringe catheter loom yarn")

// writePairs writes pairs of which a relevant one repeats the query's two words, and half of all share a domain.
func writePairs(t *testing.T, ws workspace.Dir, split string, shard, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), uint64(shard)))
	pick := func() string { return words[random.IntN(len(words))] + " " + words[random.IntN(len(words))] }
	var rows []arrowfile.Pair
	for i := range n {
		q, d := pick(), pick()
		if i%2 == 0 {
			d = q
		}
		rows = append(rows, arrowfile.Pair{
			Judged:     arrowfile.Judged{TopicID: fmt.Sprintf("PAC-%d", i), QueryID: "EP-1", DocID: fmt.Sprintf("EP-%d", 100+i), Label: int8(1 - i%2), Domain: int8(i / 2 % 2), DomainKnown: true, Source: arrowfile.SourceGold},
			QueryTitle: q, QueryAbstract: "A device with a " + q, DocTitle: d, DocAbstract: "An apparatus with a " + d,
		})
	}
	writeRows(t, filepath.Join(string(ws), "pairs", "default", fmt.Sprintf("%s-%05d.arrow", split, shard)), rows)
}

func writeRows(t *testing.T, path string, rows []arrowfile.Pair) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	w, err := arrowfile.Create(path, arrowfile.Pairs, arrowfile.Options{Metadata: []string{sampler.MetadataAlpha, "0.5"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Append(&rows[i]); err != nil {
			t.Fatal(err)
		}
		if i%10 == 9 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// small is a run of 20 steps, 10 an epoch, on a tiny encoder.
func small(t *testing.T) Config {
	t.Helper()
	if err := torch.Available(); err != nil {
		t.Skipf("needs the native library: %v", err)
	}
	c := Default()
	c.Workspace = workspace.Dir(t.TempDir())
	writePairs(t, c.Workspace, splitTrain, 0, 60)
	writePairs(t, c.Workspace, splitTrain, 1, 20)
	writePairs(t, c.Workspace, splitValid, 0, 24)
	c.Batch, c.Epochs, c.MaxTokens, c.Threads, c.EvalSteps, c.CheckpointSteps, c.ShuffleRows = 8, 2, 32, 1, 5, 3, 16
	c.LearningRate = 1e-3
	return c
}

func readMetrics(t *testing.T, dir string) []Metric {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, metricsFile))
	if err != nil {
		t.Fatal(err)
	}
	var all []Metric
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var m Metric
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		m.PairsPerSecond = 0 // the only figure that a clock goes into
		all = append(all, m)
	}
	return all
}

func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestRun(t *testing.T) {
	c := small(t)
	c.Epochs = 6
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	dir := c.folder(1)
	if s := result.Seeds[0]; s.Steps != 60 || s.StoppedEarly || s.Folder != dir {
		t.Errorf("%+v", s)
	}
	if got := folders(t, dir); !slices.Equal(got, []string{"best", "checkpoint-57", "checkpoint-60"}) {
		t.Errorf("folders %v", got)
	}
	metrics := readMetrics(t, dir)
	first, last := metrics[0], metrics[len(metrics)-1]
	if last.Split != splitValid || last.Step != 60 || last.Accuracy == nil || len(last.Terms) != 7 {
		t.Errorf("the last metric is %+v", last)
	}
	if !(last.Loss < first.Loss) {
		t.Errorf("the loss went from %v to %v", first.Loss, last.Loss)
	}
	lowest := last.Loss
	for _, m := range metrics {
		if m.Split == splitValid {
			lowest = min(lowest, m.Loss)
		}
	}
	if result.Seeds[0].BestLoss != lowest {
		t.Errorf("best loss %v, the metrics have %v", result.Seeds[0].BestLoss, lowest)
	}
}

func TestOpenGivesTheScoresOfTraining(t *testing.T) {
	c := small(t)
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	best := filepath.Join(c.folder(1), bestName)
	valid, err := openDataset(c.pairsDir(), splitValid)
	if err != nil {
		t.Fatal(err)
	}
	torchtest.Run(t, func(s *torch.Session) error {
		m, err := Open(s, best)
		if err != nil {
			return err
		}
		var pairs []wordpiece.Pair
		var domain, labels []int8
		err = valid.pass(t.Context(), order{}, func(p arrowfile.Pair) error {
			pairs = append(pairs, wordpiece.Pair{A: joined(p.QueryTitle, p.QueryAbstract), B: joined(p.DocTitle, p.DocAbstract)})
			domain, labels = append(domain, p.Domain), append(labels, p.Label)
			return nil
		})
		if err != nil {
			return err
		}
		scores, err := m.Scores(pairs, domain)
		if err != nil {
			return err
		}
		right := 0
		for i, z := range scores {
			if (z > 0) == (labels[i] == 1) {
				right++
			}
		}
		data, err := os.ReadFile(filepath.Join(best, stateFile))
		if err != nil {
			return err
		}
		var st state
		if err := json.Unmarshal(data, &st); err != nil {
			return err
		}
		for _, line := range readMetrics(t, c.folder(1)) {
			if line.Split == splitValid && line.Step == st.BestStep && *line.Accuracy != float64(right)/float64(len(scores)) {
				t.Errorf("accuracy %v in training, %v from the checkpoint", *line.Accuracy, float64(right)/float64(len(scores)))
			}
		}
		if k := m.Tokenizer.Size(); k != m.Encoder.Config.VocabSize {
			t.Errorf("%d tokens, the encoder knows %d", k, m.Encoder.Config.VocabSize)
		}
		if _, err := Open(s, filepath.Join("testdata", "parity")); err == nil || !strings.Contains(err.Error(), `no part "dssdnet"`) {
			t.Errorf("opening a bare encoder says %v", err)
		}
		return nil
	})
}

// same compares two runs: every metric, and the bytes of the weights.
func same(t *testing.T, a, b string) {
	t.Helper()
	if diff := cmp.Diff(readMetrics(t, a), readMetrics(t, b)); diff != "" {
		t.Errorf("metrics differ (- %s, + %s):\n%s", a, b, diff)
	}
	for _, name := range []string{"best", "checkpoint-20"} {
		for _, file := range []string{bert.WeightsFile, stateFile} {
			p, err := os.ReadFile(filepath.Join(a, name, file))
			if err != nil {
				t.Fatal(err)
			}
			q, err := os.ReadFile(filepath.Join(b, name, file))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(p, q) {
				t.Errorf("%s/%s differs", name, file)
			}
		}
	}
}

// countdown is a context that ends after some looks at it: a SIGINT at a step that a test can choose.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// savedEncoder is a folder with an encoder: the first checkpoint of a tiny one.
func savedEncoder(t *testing.T, c Config) string {
	t.Helper()
	c.Run, c.MaxSteps = "encoder", 1
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(c.folder(1), bestName)
}

func TestInterruptedAndResumedIsTheSame(t *testing.T) {
	whole := small(t)
	whole.Encoder = savedEncoder(t, whole)
	if _, err := Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{1, 9, 10, 14} {
		c := whole
		c.Run = fmt.Sprintf("after-%d", steps)
		r, err := Run(&countdown{context.Background(), steps}, c)
		if err == nil || !strings.Contains(err.Error(), "--resume") {
			t.Fatalf("interrupted, Run says %v", err)
		}
		saved, err := checkpoints(c.folder(1))
		if err != nil {
			t.Fatal(err)
		}
		if r.Parameters == 0 || len(r.Seeds) != 1 || r.Seeds[0].Steps != saved[len(saved)-1] || r.Seeds[0].Folder != c.folder(1) {
			t.Errorf("interrupted, with checkpoints after steps %v, the result is %+v", saved, r)
		}
		c.Resume = true
		if _, err := Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		same(t, whole.folder(1), c.folder(1))
	}
}

func TestAccumulatedBatchesAreOneStep(t *testing.T) {
	c := small(t)
	c.Batch, c.Accumulate, c.Epochs = 8, 3, 1 // 10 batches: 3 + 3 + 3 + 1
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if result.Seeds[0].Steps != 4 {
		t.Errorf("%d steps, want 4", result.Seeds[0].Steps)
	}
}

func TestSeveralSeeds(t *testing.T) {
	c := small(t)
	c.Seeds, c.Epochs, c.Network.Model = []string{"1", "2"}, 1, "bert"
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	a, b := result.Seeds[0].BestLoss, result.Seeds[1].BestLoss
	if a == b || result.MeanBestLoss != (a+b)/2 || !(result.DeviationLoss > 0) {
		t.Errorf("%v and %v: mean %v, deviation %v", a, b, result.MeanBestLoss, result.DeviationLoss)
	}
	for _, name := range []string{"seed-1/best", "seed-2/best", "summary.json"} {
		if _, err := os.Stat(filepath.Join(filepath.Dir(c.folder(1)), name)); err != nil {
			t.Error(err)
		}
	}
}

func TestEarlyStopping(t *testing.T) {
	c := small(t)
	c.LearningRate, c.Epochs, c.Patience, c.EvalSteps = 1e-12, 10, 2, 2 // nothing is learnt
	c.Network.Model = "bert"
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if s := result.Seeds[0]; !s.StoppedEarly || s.Steps >= 100 {
		t.Errorf("%+v", s)
	}
}

func TestDivergenceNamesTheBatch(t *testing.T) {
	c := small(t)
	c.LearningRate = 1e38
	_, err := Run(t.Context(), c)
	for _, part := range []string{"step", "is no number", "PAC-", "--learning-rate"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v lacks %q", err, part)
		}
	}
}

func TestResumeRefusesOtherSettingsAndData(t *testing.T) {
	c := small(t)
	c.MaxSteps = 3
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.Resume = true
	other := c
	other.LearningRate = 5e-4
	if _, err := Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), "learning-rate was 0.001 and is 0.0005") {
		t.Errorf("another learning rate: %v", err)
	}
	writePairs(t, c.Workspace, splitTrain, 2, 10)
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "pairs have changed") {
		t.Errorf("other pairs: %v", err)
	}
}
