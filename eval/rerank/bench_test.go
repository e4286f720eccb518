package rerank

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"dssdnet/train"
	"dssdnet/train/bert"
	"dssdnet/train/dssd"
	"dssdnet/train/torch"
)

// peer is what testdata/bench.py reads.
type peer struct {
	Hidden  int   `json:"hidden"`
	Layers  int   `json:"layers"`
	Heads   int   `json:"heads"`
	Batch   int   `json:"batch"`
	Tokens  int   `json:"tokens"`
	Threads int   `json:"threads"`
	Lengths []int `json:"lengths"`
}

type seconds struct {
	Wall float64 `json:"wall"`
	CPU  float64 `json:"cpu"`
}

// BenchmarkScore scores pairs of at most 128 tokens in float32 on one thread, with an encoder of MiniLM's size. With a
// Python that has PyTorch in DSSDNET_PYTHON it says how many times faster it is than PyTorch eager in batches of 64 that
// are padded to 128 tokens, by the clock (x-wall) and by processor time (x-cpu), which other load disturbs less.
//
// The lengths are: full, where every pair fills its 128 tokens, as of titles with abstracts; and mixed, evenly from 16
// to 128 tokens, as where many texts are titles only.
func BenchmarkScore(b *testing.B) {
	if err := torch.Available(); err != nil {
		b.Skipf("needs the native library: %v", err)
	}
	random := rand.New(rand.NewPCG(8, 8))
	for name, shortest := range map[string]int{"full": 128, "mixed": 16} {
		b.Run(name, func(b *testing.B) {
			p := peer{Hidden: 384, Layers: 6, Heads: 12, Batch: 64, Tokens: 128, Threads: 1}
			for range 256 {
				p.Lengths = append(p.Lengths, shortest+random.IntN(128-shortest+1))
			}
			var ours seconds
			for b.Loop() {
				ours = measure(b, p)
			}
			b.ReportMetric(0, "ns/op") // of warming up and measuring: says nothing
			b.ReportMetric(float64(len(p.Lengths))/ours.Wall, "pairs/s")
			if python := os.Getenv("DSSDNET_PYTHON"); python != "" {
				theirs := measurePyTorch(b, python, p)
				b.ReportMetric(theirs.Wall/ours.Wall, "x-wall")
				b.ReportMetric(theirs.CPU/ours.CPU, "x-cpu")
			}
		})
	}
}

func measurePyTorch(b *testing.B, python string, p peer) seconds {
	b.Helper()
	arg, err := json.Marshal(p)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join("testdata", "bench.py"), string(arg))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s cannot run bench.py (needs PyTorch): %v", python, err)
	}
	var s seconds
	if err := json.Unmarshal(out, &s); err != nil {
		b.Fatal(err)
	}
	return s
}

func measure(b *testing.B, p peer) seconds {
	b.Helper()
	var result seconds
	err := torch.Do(torch.Options{Device: torch.CPU, Threads: p.Threads}, func(s *torch.Session) error {
		s.Seed(1)
		c := bert.Default()
		c.HiddenSize, c.Layers, c.Heads, c.IntermediateSize = p.Hidden, p.Layers, p.Heads, 4*p.Hidden
		encoder, err := bert.New(s, c)
		if err != nil {
			return err
		}
		network, err := dssd.New(s, dssd.Default(), p.Hidden)
		if err != nil {
			return err
		}
		m := &model{Model: &train.Model{Encoder: encoder, Network: network}, s: s}
		x := &texts{maxTokens: p.Tokens, cls: 101, sep: 102}
		if err := scorePairs(m, x, p); err != nil { // to warm up
			return err
		}
		start, used := time.Now(), processorTime()
		err = scorePairs(m, x, p)
		result = seconds{Wall: time.Since(start).Seconds(), CPU: (processorTime() - used).Seconds()}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return result
}

// scorePairs forms batches and scores them, as scoreWindow does.
func scorePairs(m *model, x *texts, p peer) error {
	var pairs []pair
	for i, length := range p.Lengths {
		one := pair{keepA: (length - specials) / 2, row: i}
		one.keepB = length - specials - one.keepA
		one.a.ids, one.b.ids = make([]int32, one.keepA), make([]int32, one.keepB)
		for j := range one.a.ids {
			one.a.ids[j] = int32(1000 + (i*7919+j)%29000)
		}
		for j := range one.b.ids {
			one.b.ids[j] = int32(1000 + (i*104729+j)%29000)
		}
		pairs = append(pairs, one)
	}
	for _, batch := range batches(pairs, Default().BatchTokens) {
		if _, err := m.score(x.matrix(batch)); err != nil {
			return err
		}
	}
	return nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
