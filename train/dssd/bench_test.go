package dssd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dssdnet/train/bert"
	"dssdnet/train/dssd"
	"dssdnet/train/peertest"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

// shape of a benchmark; the peer, testdata/reference/bench.py, reads the same.
type shape struct {
	Hidden  int    `json:"hidden"`
	Layers  int    `json:"layers"`
	Heads   int    `json:"heads"`
	Batch   int    `json:"batch"`
	Tokens  int    `json:"tokens"`
	Threads int    `json:"threads"`
	DType   string `json:"dtype"`
	Device  string `json:"device"`
}

// BenchmarkStep times a training step and an inference batch of 64 pairs of 128 tokens. With DSSDNET_PYTHON naming a
// Python that has PyTorch, it reports how many times faster it is than PyTorch eager with the same shapes, threads and
// type: by the clock ("x-wall") and by processor time ("x-cpu"), which other load on the machine disturbs less. The two
// take turns. DSSDNET_THREADS sets the threads, 1 by default, and DSSDNET_DEVICE a GPU, on which the clock counts.
func BenchmarkStep(b *testing.B) {
	if err := torch.Available(); err != nil {
		b.Skipf("needs the native library: %v", err)
	}
	threads := 1
	if text := os.Getenv("DSSDNET_THREADS"); text != "" {
		if _, err := fmt.Sscan(text, &threads); err != nil {
			b.Fatalf("DSSDNET_THREADS=%s: %v", text, err)
		}
	}
	device := torchtest.Device(b)
	short, long := 1, 3
	if device != torch.CPU {
		short, long = 20, 20
	}
	for _, s := range []struct {
		name   string
		rounds int
		shape
	}{
		{"MiniLM", long, shape{384, 6, 12, 64, 128, threads, "float32", device.String()}},
		{"MiniLM-bf16", long, shape{384, 6, 12, 64, 128, threads, "bfloat16", device.String()}},
		{"BERTbase", short, shape{768, 12, 12, 64, 128, threads, "float32", device.String()}},
		{"BERTbase-bf16", short, shape{768, 12, 12, 64, 128, threads, "bfloat16", device.String()}},
	} {
		b.Run(s.name, func(b *testing.B) {
			b.Run("step", func(b *testing.B) { measure(b, s.shape, s.rounds, "train") })
			b.Run("inference", func(b *testing.B) { measure(b, s.shape, s.rounds, "infer") })
		})
	}
}

// measure reports the figures of one task, "train" or "infer", of ours and of the peer.
func measure(b *testing.B, o shape, rounds int, task string) {
	b.Helper()
	arg, err := json.Marshal(o)
	if err != nil {
		b.Fatal(err)
	}
	peer := peertest.Start(b, "PyTorch", filepath.Join("..", "testdata", "reference", "bench.py"), string(arg))
	var turns peertest.Turns
	err = torch.Do(torch.Options{Device: torchtest.Device(b), Threads: o.Threads}, func(s *torch.Session) error {
		step, err := steps(s, o)
		if err != nil {
			return err
		}
		for b.Loop() {
			if turns, err = peertest.Take(rounds, step[task], peer, task); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op") // of warming up and measuring: says nothing
	turns.Report(b, "batch")
}

// steps are a training step and an inference batch of a fresh model.
func steps(s *torch.Session, o shape) (map[string]func() error, error) {
	s.Seed(1)
	c := bert.Default()
	c.HiddenSize, c.Layers, c.Heads, c.IntermediateSize = o.Hidden, o.Layers, o.Heads, 4*o.Hidden
	encoder, err := bert.New(s, c)
	if err != nil {
		return nil, err
	}
	net, err := dssd.New(s, dssd.Default(), o.Hidden)
	if err != nil {
		return nil, err
	}
	n := o.Batch * o.Tokens
	ids, mask := make([]int64, n), make([]uint8, n)
	for i := range ids {
		ids[i], mask[i] = int64(1000+i*7919%29000), 1
	}
	in := bert.NewInput(s, ids, make([]int64, n), mask, o.Batch, o.Tokens)
	y, t := make([]int8, o.Batch), make([]int8, o.Batch)
	for i := range y {
		y[i], t[i] = int8(i%2), int8(i/2%2)
	}
	labels, err := dssd.NewLabels(s, y, t)
	if err != nil {
		return nil, err
	}
	optimizer := torch.NewAdamW(s, torch.ParamValues(append(encoder.Params(), net.Params()...)), 2e-5, 5e-4)
	forward := func() (out dssd.Output, err error) {
		run := func() error {
			out = net.Forward(encoder.First(in), labels.Domain)
			s.Keep(out.Tensors()...)
			return nil
		}
		if o.DType == "bfloat16" {
			err = s.Autocast(torch.BFloat16, run)
		} else {
			err = s.Scope(run)
		}
		return out, err
	}
	step := func() error {
		out, err := forward()
		if err != nil {
			return err
		}
		optimizer.ZeroGrad()
		net.Loss(out, labels, 0.5, true).Total.Backward()
		optimizer.Step()
		return nil
	}
	return map[string]func() error{
		"train": func() error {
			defer s.Synchronize()
			s.SetTraining(true)
			return s.Scope(step)
		},
		"infer": func() error {
			defer s.Synchronize()
			s.SetTraining(false)
			return s.NoGrad(func() error {
				_, err := forward()
				return err
			})
		},
	}, nil
}
