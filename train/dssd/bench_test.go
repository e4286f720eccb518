package dssd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"dssdnet/train/bert"
	"dssdnet/train/dssd"
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
	Steps   int    `json:"steps"`
	DType   string `json:"dtype"`
	Device  string `json:"device"`
}

// BenchmarkStep times a training step and an inference batch of 64 pairs of 128 tokens. With DSSDNET_PYTHON naming a
// Python that has PyTorch, it reports how many times faster it is than PyTorch eager with the same shapes, threads and
// type: by the clock ("x-wall") and by processor time ("x-cpu"), which other load on the machine disturbs less.
// DSSDNET_THREADS sets the threads, 1 by default, and DSSDNET_DEVICE a GPU, on which the clock counts. The figures are the best of Steps.
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
	for name, s := range map[string]shape{
		"MiniLM":        {384, 6, 12, 64, 128, threads, long, "float32", device.String()},
		"MiniLM-bf16":   {384, 6, 12, 64, 128, threads, long, "bfloat16", device.String()},
		"BERTbase":      {768, 12, 12, 64, 128, threads, short, "float32", device.String()},
		"BERTbase-bf16": {768, 12, 12, 64, 128, threads, short, "bfloat16", device.String()},
	} {
		b.Run(name, func(b *testing.B) {
			var ours times
			for b.Loop() {
				ours = measure(b, s)
			}
			b.ReportMetric(0, "ns/op") // of warming up and measuring: says nothing
			b.ReportMetric(ours.Train.Wall, "s/step")
			b.ReportMetric(ours.Infer.Wall, "s/inference")
			b.ReportMetric(ours.Train.CPU, "cpu-s/step")
			b.ReportMetric(ours.Infer.CPU, "cpu-s/inference")
			if python := os.Getenv("DSSDNET_PYTHON"); python != "" {
				theirs := measurePyTorch(b, python, s)
				b.ReportMetric(theirs.Train.Wall/ours.Train.Wall, "x-wall-step")
				b.ReportMetric(theirs.Infer.Wall/ours.Infer.Wall, "x-wall-inference")
				b.ReportMetric(theirs.Train.CPU/ours.Train.CPU, "x-cpu-step")
				b.ReportMetric(theirs.Infer.CPU/ours.Infer.CPU, "x-cpu-inference")
			}
		})
	}
}

type seconds struct{ Wall, CPU float64 }

type times struct{ Train, Infer seconds }

func measurePyTorch(b *testing.B, python string, s shape) times {
	b.Helper()
	arg, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join("..", "testdata", "reference", "bench.py"), string(arg))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Skipf("%s cannot run bench.py (needs PyTorch): %v", python, err)
	}
	var t times
	if err := json.Unmarshal(out, &t); err != nil {
		b.Fatal(err)
	}
	return t
}

func measure(b *testing.B, o shape) times {
	b.Helper()
	var result times
	err := torch.Do(torch.Options{Device: torchtest.Device(b), Threads: o.Threads}, func(s *torch.Session) error {
		s.Seed(1)
		c := bert.Default()
		c.HiddenSize, c.Layers, c.Heads, c.IntermediateSize = o.Hidden, o.Layers, o.Heads, 4*o.Hidden
		encoder, err := bert.New(s, c)
		if err != nil {
			return err
		}
		net, err := dssd.New(s, dssd.Default(), o.Hidden)
		if err != nil {
			return err
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
			return err
		}
		optimizer := torch.NewAdamW(s, torch.ParamValues(append(encoder.Params(), net.Params()...)), 2e-5, 5e-4)
		forward := func() (out dssd.Output, err error) {
			run := func() error {
				out = net.Forward(encoder.First(in), labels.Domain)
				s.Keep(out.Tensors()...)
				return nil
			}
			if o.DType == "bfloat16" {
				return out, s.Autocast(torch.BFloat16, run)
			}
			return out, s.Scope(run)
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
		s.SetTraining(true)
		if result.Train, err = best(o.Steps, func() error {
			defer s.Synchronize()
			return s.Scope(step)
		}); err != nil {
			return err
		}
		s.SetTraining(false)
		result.Infer, err = best(o.Steps, func() error {
			defer s.Synchronize()
			return s.NoGrad(func() error {
				_, err := forward()
				return err
			})
		})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return result
}

// best is the shortest of some runs after one to warm up.
func best(runs int, f func() error) (seconds, error) {
	if err := f(); err != nil {
		return seconds{}, err
	}
	shortest := seconds{math.Inf(1), math.Inf(1)}
	for range runs {
		start, used := time.Now(), processorTime()
		if err := f(); err != nil {
			return seconds{}, err
		}
		shortest.Wall = min(shortest.Wall, time.Since(start).Seconds())
		shortest.CPU = min(shortest.CPU, (processorTime() - used).Seconds())
	}
	return shortest, nil
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
