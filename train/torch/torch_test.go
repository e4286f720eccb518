package torch_test

import (
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

func near(t *testing.T, what string, got, want []float32, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if d := math.Abs(float64(got[i] - want[i])); !(d <= within) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

func TestOperations(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		a := torch.Of(s, []float32{1, 2, 3, 4, 5, 6}, 2, 3)
		b := torch.Of(s, []float32{1, 0, -1}, 3)
		for _, c := range []struct {
			name string
			got  *torch.Tensor
			want []float32
		}{
			{"add", a.Add(b), []float32{2, 2, 2, 5, 5, 5}},
			{"sub", a.Sub(b), []float32{0, 2, 4, 3, 5, 7}},
			{"mul", a.Mul(b), []float32{1, 0, -3, 4, 0, -6}},
			{"div", a.Div(a), []float32{1, 1, 1, 1, 1, 1}},
			{"affine", b.Affine(2, 1), []float32{3, 1, -1}},
			{"matmul", a.MatMul(a.Transpose(0, 1)), []float32{14, 32, 32, 77}},
			{"linear", a.Linear(torch.Of(s, []float32{1, 1, 1, 0, 0, 1}, 2, 3), torch.Of(s, []float32{10, 20}, 2)), []float32{16, 23, 25, 26}},
			{"linear without bias", a.Linear(torch.Of(s, []float32{1, 1, 1}, 1, 3), nil), []float32{6, 15}},
			{"narrow", a.Narrow(1, 1, 2), []float32{2, 3, 5, 6}},
			{"select", a.Select(0, 1), []float32{4, 5, 6}},
			{"pick", a.Pick(1, torch.Of(s, []int64{2, 0}, 2)), []float32{3, 1, 6, 4}},
			{"cat", s.Cat(0, b, b), []float32{1, 0, -1, 1, 0, -1}},
			{"embedding", a.Embedding(torch.Of(s, []int64{1, 0}, 2)), []float32{4, 5, 6, 1, 2, 3}},
			{"relu", b.ReLU(), []float32{1, 0, 0}},
			{"square", b.Square(), []float32{1, 0, 1}},
			{"pow", a.Select(0, 0).Pow(3), []float32{1, 8, 27}},
			{"clamp", b.ClampMin(0.5), []float32{1, 0.5, 0.5}},
			{"greater", b.Greater(0).To(torch.Float32), []float32{1, 0, 0}},
			{"sum", a.Sum(), []float32{21}},
			{"mean", a.Mean(), []float32{3.5}},
			{"mean over", a.MeanOver(0), []float32{2.5, 3.5, 4.5}},
			{"topk", a.Reshape(6).TopK(2), []float32{6, 5}},
			{"softmax", torch.Of(s, []float32{0, 0}, 2).Softmax(0), []float32{0.5, 0.5}},
			{"sigmoid", s.Zeros(1).Sigmoid(), []float32{0.5}},
			{"log sigmoid of -100", s.Full(-100, torch.Float32, 1).LogSigmoid(), []float32{-100}},
			{"gelu of 1", s.Full(1, torch.Float32, 1).GELU(), []float32{0.8413447}},
			{"layer norm", torch.Of(s, []float32{-1, 1}, 1, 2).LayerNorm(torch.Of(s, []float32{2, 2}, 2), torch.Of(s, []float32{1, 0}, 2), 0), []float32{-1, 2}},
		} {
			near(t, c.name, torch.Values[float32](c.got), c.want, 1e-6)
		}
		return nil
	})
}

func TestErrorsNameTheOperationAndTheShapes(t *testing.T) {
	err := torchtest.Do(t, func(s *torch.Session) error {
		x := s.Zeros(2, 3).MatMul(s.Zeros(4, 5))
		x = x.Add(x).Tanh() // skipped: the first failure is the one to report
		if got := x.Shape(); got != nil {
			t.Errorf("a failed tensor has the shape %v", got)
		}
		return nil
	})
	for _, part := range []string{"matmul", "[2 3]", "[4 5]"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v lacks %s", err, part)
		}
	}
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has several lines: %v", err)
	}
}

func TestScopeFreesAndForgets(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		before := torch.LiveTensors()
		var kept, lost *torch.Tensor
		err := s.Scope(func() error {
			lost, kept = s.Zeros(2), s.Full(7, torch.Float32, 1)
			s.Keep(kept)
			return nil
		})
		if err != nil {
			return err
		}
		if got := torch.LiveTensors() - before; got != 1 {
			t.Errorf("%d tensors live after the scope, want the kept one", got)
		}
		if kept.Item() != 7 {
			t.Errorf("the kept tensor is %v", kept.Item())
		}
		err = s.Scope(func() error { lost.Add(lost); return nil })
		if err == nil || !strings.Contains(err.Error(), "scope") {
			t.Errorf("use of a freed tensor says %v", err)
		}
		if s.Err() != nil {
			t.Errorf("the session still has %v, which the scope has returned", s.Err())
		}
		return nil
	})
}

func TestGradient(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		x := torch.Of(s, []float32{1, -2, 3}, 3).RequireGrad(true)
		x.Square().Sum().Backward()
		x.Square().Sum().Backward() // adds up
		near(t, "gradient", torch.Values[float32](x.Grad()), []float32{4, -8, 12}, 0)
		norm := s.ClipGrad([]*torch.Tensor{x}, 1)
		near(t, "norm", []float32{float32(norm)}, []float32{float32(math.Sqrt(16 + 64 + 144))}, 1e-5)
		near(t, "clipped norm", []float32{float32(s.ClipGrad([]*torch.Tensor{x}, 0))}, []float32{1}, 1e-5)
		s.ZeroGrad([]*torch.Tensor{x})
		near(t, "dropped gradient", torch.Values[float32](x.Grad()), []float32{0, 0, 0}, 0)
		err := s.NoGrad(func() error {
			x.Sum().Backward()
			return nil
		})
		if err == nil {
			t.Error("Backward of a result without history went well")
		}
		x.Sum().Backward() // recording is on again
		return nil
	})
}

func TestAutocast(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		w := s.Full(0.1, torch.Float32, 4, 4).RequireGrad(true)
		err := s.Autocast(torch.BFloat16, func() error {
			y := s.Full(1, torch.Float32, 2, 4).Linear(w, nil)
			if y.DType() != torch.BFloat16 {
				t.Errorf("inside, linear gives %s", y.DType())
			}
			y.To(torch.Float32).Sum().Backward()
			return nil
		})
		if err != nil {
			return err
		}
		if g := w.Grad(); g.DType() != torch.Float32 {
			t.Errorf("the gradient is %s", g.DType())
		}
		if y := s.Zeros(2, 4).Linear(w, nil); y.DType() != torch.Float32 {
			t.Errorf("outside, linear gives %s", y.DType())
		}
		return nil
	})
}

func TestAdamW(t *testing.T) {
	// One step by hand: p = 1, g = 0.5. m/(1-b1) = g, sqrt(v/(1-b2)) = |g|, so p = 1*(1 - 0.1*0.01) - 0.1*g/(|g|+eps).
	torchtest.Run(t, func(s *torch.Session) error {
		p := s.Full(1, torch.Float32, 1).RequireGrad(true)
		idle := s.Full(3, torch.Float32, 1).RequireGrad(true)
		a := torch.NewAdamW(s, []*torch.Tensor{p, idle}, 0.1, 0.01)
		p.Scale(0.5).Sum().Backward()
		a.Step()
		near(t, "parameter", torch.Values[float32](p), []float32{0.899}, 1e-6)
		near(t, "parameter without gradient", torch.Values[float32](idle), []float32{3}, 0)
		// The second: g = -1. m = 0.9*0.05 - 0.1 = -0.055, over 1-0.81; v = 0.999*0.00025 + 0.001, over 1-0.998001.
		a.ZeroGrad()
		p.Neg().Sum().Backward()
		a.Step()
		want := 0.899*(1-0.001) - 0.1*(-0.055/0.19)/(math.Sqrt((0.999*0.00025+0.001)/(1-0.999*0.999))+1e-8)
		near(t, "parameter", torch.Values[float32](p), []float32{float32(want)}, 1e-6)
		return nil
	})
}

func TestGeneratorStateRepeats(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		s.SetTraining(true)
		s.Seed(7)
		draw := func() []float32 {
			ones := s.Full(1, torch.Float32, 100_000)
			return append(torch.Values[float32](ones.Dropout(0.3)), torch.Values[float32](s.Zeros(10).Normal(0, 1))...)
		}
		first := draw()
		state := s.GeneratorState()
		second := draw()
		s.SetGeneratorState(state)
		if !slices.Equal(draw(), second) {
			t.Error("the state does not bring the same numbers back")
		}
		if slices.Equal(first, second) {
			t.Error("two draws are the same")
		}
		s.Seed(7)
		if !slices.Equal(draw(), first) {
			t.Error("the seed does not bring the same numbers back")
		}
		err := s.Scope(func() error { s.SetGeneratorState(state[:20]); return nil })
		if err == nil || !strings.Contains(err.Error(), "cut short") {
			t.Errorf("a state cut short says %v", err)
		}
		return nil
	})
}

func TestDropout(t *testing.T) {
	for _, c := range []struct {
		dtype   torch.DType
		epsilon float64 // of rounding 4/3
	}{{torch.Float32, 1e-6}, {torch.BFloat16, 1.0 / 256}} {
		t.Run(c.dtype.String(), func(t *testing.T) {
			torchtest.Run(t, func(s *torch.Session) error {
				const n = 200_000
				x := s.Full(1, c.dtype, n).RequireGrad(true)
				if x.Dropout(0.25) != x {
					t.Error("dropout while not training is not the tensor itself")
				}
				s.SetTraining(true)
				s.Seed(1)
				y := x.Dropout(0.25)
				values := torch.Values[float32](y.To(torch.Float32))
				zeros := 0
				for _, v := range values {
					if v == 0 {
						zeros++
					} else if math.Abs(float64(v)-4.0/3) > c.epsilon {
						t.Fatalf("a kept element is %v, want 1/(1-p)", v)
					}
				}
				// Four standard deviations of a binomial count.
				if d := math.Abs(float64(zeros) - 0.25*n); d > 4*math.Sqrt(n*0.25*0.75) {
					t.Errorf("%d of %d elements dropped", zeros, n)
				}
				y.Sum().Backward()
				near(t, "the gradient's mask", torch.Values[float32](x.Grad().To(torch.Float32)), values, 0)
				return nil
			})
		})
	}
}

func TestLiveTensorsAndMemoryStayFlat(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		s.SetTraining(true)
		s.Seed(1)
		w := s.Zeros(64, 64).Normal(0, 0.1).RequireGrad(true)
		b := s.Zeros(64).RequireGrad(true)
		a := torch.NewAdamW(s, []*torch.Tensor{w, b}, 1e-3, 0)
		var live, rss int64
		for step := range 1000 {
			err := s.Scope(func() error {
				h := s.Zeros(32, 4, 64).Normal(0, 1)
				h = h.Attention(s.Cat(2, h.Linear(w, b), h), nil, 4, 0.1)
				loss := h.Linear(w, b).GELU().Dropout(0.1).Square().Mean()
				a.ZeroGrad()
				loss.Backward()
				a.Step()
				return nil
			})
			if err != nil {
				return err
			}
			if step == 99 {
				live, rss = torch.LiveTensors(), residentBytes(t)
			}
		}
		if got := torch.LiveTensors(); got != live {
			t.Errorf("live tensors went from %d to %d in 900 steps", live, got)
		}
		// A step makes more than 1 MB of tensors: a leak of one percent of them would show.
		if grown := residentBytes(t) - rss; grown > 8<<20 {
			t.Errorf("the process grew by %d bytes in 900 steps", grown)
		}
		return nil
	})
}

func residentBytes(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(data))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

func TestCUDAWithoutCUDA(t *testing.T) {
	if err := torch.Available(); err != nil {
		t.Skipf("needs the native library: %v", err)
	}
	library, err := torch.Describe()
	if err != nil {
		t.Fatal(err)
	}
	device := torch.Device(library.CUDADevices)
	err = torch.Do(torch.Options{Device: device}, func(*torch.Session) error { return nil })
	if err == nil || !strings.Contains(err.Error(), device.String()) {
		t.Errorf("an absent device says %v", err)
	}
}

func TestParseDevice(t *testing.T) {
	for text, want := range map[string]torch.Device{"cpu": torch.CPU, "cuda": 0, "cuda:3": 3} {
		if got, err := torch.ParseDevice(text); err != nil || got != want {
			t.Errorf("ParseDevice(%q) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "gpu", "cuda:", "cuda:-1", "cpu:0"} {
		if got, err := torch.ParseDevice(text); err == nil {
			t.Errorf("ParseDevice(%q) = %v", text, got)
		}
	}
}

func TestThreads(t *testing.T) {
	for asked, want := range map[int]int{0: runtime.GOMAXPROCS(0), 1: 1, 3: 3} {
		got := 0
		err := torch.Do(torch.Options{Device: torch.CPU, Threads: asked}, func(s *torch.Session) error {
			got = s.Threads()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d threads asked for: %d, want %d", asked, got, want)
		}
	}
}
