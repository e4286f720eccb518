package rerank

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/sampler"
	"dssdnet/schemas/arrowfile"
	"dssdnet/train"
	"dssdnet/train/torch"
	"dssdnet/train/wordpiece"
)

// TestScoresAreTheModels trains a tiny model and compares a run with the model's own scores of the texts.
func TestScoresAreTheModels(t *testing.T) {
	if err := torch.Available(); err != nil {
		t.Skipf("needs the native library: %v", err)
	}
	c := fixture(t, 3, 20)
	c.Checkpoint = trained(t, c)
	c.Threads = 1
	r, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete || r.Scored == 0 || r.EqualScores > 0 {
		t.Fatalf("%+v", r)
	}
	got := map[string]float64{}
	for line := range strings.Lines(unzip(t, c.runFile())) {
		var topic, q0, patent string
		var rank int
		var score float64
		if _, err := fmt.Sscan(line, &topic, &q0, &patent, &rank, &score); err != nil {
			t.Fatal(err)
		}
		got[topic+" "+patent] = score
	}
	err = torch.Do(torch.Options{Device: torch.CPU, Threads: 1}, func(s *torch.Session) error {
		m, err := train.Open(s, c.Checkpoint)
		if err != nil {
			return err
		}
		for rank := range 20 {
			n := rank * 17 % 200
			text := strings.TrimSpace(words[n%len(words)] + " " + strings.Repeat(words[n*7%len(words)]+" ", n%40))
			scores, err := m.Scores([]wordpiece.Pair{{A: words[0], B: text}}, []int8{int8(rank % 2)})
			if err != nil {
				return err
			}
			if id := fmt.Sprintf("PAC-0 EP-%07d", 1000000+n); n%7 != 3 && math.Abs(got[id]-float64(scores[0])) > 1e-4 {
				t.Errorf("%s: the run has %v, the model says %v", id, got[id], scores[0])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Run(t.Context(), c)
	if err != nil || !again.Skipped {
		t.Errorf("a second run is not skipped: %+v, %v", again, err)
	}
	c.Run, c.Precision = "half", bfloat16Name
	if r, err := Run(t.Context(), c); err != nil || !r.Complete {
		t.Errorf("in bfloat16: %+v, %v", r, err)
	}
}

// trained is the best checkpoint of a few steps on pairs of the fixture's words.
func trained(t *testing.T, c Config) string {
	t.Helper()
	for _, split := range []string{"train", "valid"} {
		var rows []arrowfile.Pair
		for i := range 64 {
			q, d := words[i%len(words)], words[(i+i%2*5)%len(words)]
			rows = append(rows, arrowfile.Pair{
				Judged:     arrowfile.Judged{TopicID: fmt.Sprint(i), QueryID: "EP-1", DocID: fmt.Sprintf("EP-%d", i), Label: int8(1 - i%2), Domain: int8(i / 2 % 2), DomainKnown: true, Source: arrowfile.SourceGold},
				QueryTitle: q, QueryAbstract: "a " + q, DocTitle: d, DocAbstract: "the " + d,
			})
		}
		path := filepath.Join(c.pairsDir(), split+"-00000.arrow")
		w, err := arrowfile.Create(path, arrowfile.Pairs, arrowfile.Options{Metadata: []string{sampler.MetadataAlpha, "0.5"}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if err := w.Append(&rows[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	cfg := train.Default()
	cfg.Workspace, cfg.Run, cfg.Pairs, cfg.Batch, cfg.MaxSteps, cfg.MaxTokens, cfg.Threads = c.Workspace, "tiny", c.Pairs, 8, 6, 32, 1
	if _, err := train.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(string(c.Workspace), "checkpoints", "tiny", "best")
}
