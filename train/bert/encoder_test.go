package bert_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/train/bert"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

// parity is what PyTorch computed: testdata/reference/make_parity.py.
const parity = "../testdata/parity"

// batch is the parity batch on the session's device, and its hidden states.
func batch(t *testing.T, s *torch.Session) (bert.Input, []float32) {
	t.Helper()
	f, err := safetensors.Open(filepath.Join(parity, "batch.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read := func(name string, d torch.DType) *torch.Tensor {
		v, ok := f.Tensor(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return s.Raw(v.Data, d, v.Shape...)
	}
	ids, types, mask := read("ids", torch.Int64), read("types", torch.Int64), read("mask", torch.Uint8)
	hidden := torch.Values[float32](read("hidden", torch.Float32))
	shape := ids.Shape()
	return bert.NewInput(s, torch.Values[int64](ids), torch.Values[int64](types), torch.Values[uint8](mask), shape[0], shape[1]), hidden
}

func furthest(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(float64(a[i]-b[i])))
	}
	return d
}

func TestHiddenStatesEqualPyTorch(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		in, want := batch(t, s)
		e, err := bert.Load(s, parity)
		if err != nil {
			return err
		}
		all := e.Forward(in)
		if d := furthest(torch.Values[float32](all), want); !(d < 1e-5) {
			t.Errorf("hidden states differ by %g", d)
		}
		first := e.First(in)
		if d := furthest(torch.Values[float32](first), torch.Values[float32](all.Select(1, 0))); !(d < 1e-5) {
			t.Errorf("First differs from Forward by %g", d)
		}
		return nil
	})
}

// rewrite copies the parity model to a new folder, every tensor through change.
func rewrite(t *testing.T, change func(safetensors.Source) safetensors.Source) string {
	t.Helper()
	f, err := safetensors.Open(filepath.Join(parity, bert.WeightsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var sources []safetensors.Source
	for _, name := range f.Names() {
		v, _ := f.Tensor(name)
		s := change(safetensors.Source{Name: v.Name, DType: v.DType, Shape: v.Shape, Bytes: func() ([]byte, error) { return v.Data, nil }})
		if s.Name != "" {
			sources = append(sources, s)
		}
	}
	dir := t.TempDir()
	config, err := os.ReadFile(filepath.Join(parity, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, bert.WeightsFile), sources)
	return dir
}

func write(t *testing.T, path string, sources []safetensors.Source) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := safetensors.Write(out, sources, nil); err != nil {
		t.Fatal(err)
	}
}

func TestLoadsOldNamesAndHalfPrecision(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		in, want := batch(t, s)
		half := func(d torch.DType, name safetensors.DType) func(safetensors.Source) safetensors.Source {
			return func(src safetensors.Source) safetensors.Source {
				data, _ := src.Bytes()
				narrow := make([]byte, len(data)/2)
				s.Raw(data, torch.Float32, src.Shape...).To(d).Bytes(narrow)
				return safetensors.Source{Name: src.Name, DType: name, Shape: src.Shape, Bytes: func() ([]byte, error) { return narrow, nil }}
			}
		}
		rename := func(pairs ...string) func(safetensors.Source) safetensors.Source {
			r := strings.NewReplacer(pairs...)
			return func(src safetensors.Source) safetensors.Source {
				src.Name = r.Replace(src.Name)
				return src
			}
		}
		for name, c := range map[string]struct {
			change func(safetensors.Source) safetensors.Source
			within float64
		}{
			"no prefix":         {rename("bert.", ""), 1e-5},
			"gamma and beta":    {rename("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta"), 1e-5},
			"a model around it": {rename("bert.", "model.encoder."), 1e-5},
			"float16":           {half(torch.Float16, safetensors.F16), 1e-2},
			"bfloat16":          {half(torch.BFloat16, safetensors.BF16), 1e-1},
		} {
			e, err := bert.Load(s, rewrite(t, c.change))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if d := furthest(torch.Values[float32](e.Forward(in)), want); !(d < c.within) {
				t.Errorf("%s: hidden states differ by %g", name, d)
			}
		}
		return nil
	})
}

func TestSavedEncoderIsTheSame(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		e, err := bert.Load(s, parity)
		if err != nil {
			return err
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "again"), e.Sources("bert."))
		got, err := safetensors.Open(filepath.Join(dir, "again"))
		if err != nil {
			return err
		}
		defer got.Close()
		want, err := safetensors.Open(filepath.Join(parity, bert.WeightsFile))
		if err != nil {
			return err
		}
		defer want.Close()
		if !slices.Equal(got.Names(), want.Names()) {
			t.Errorf("names %v, want %v", got.Names(), want.Names())
		}
		for _, name := range want.Names() {
			a, _ := got.Tensor(name)
			b, _ := want.Tensor(name)
			if !slices.Equal(a.Data, b.Data) || !slices.Equal(a.Shape, b.Shape) {
				t.Errorf("%s changed", name)
			}
		}
		return nil
	})
}

func TestBadModelsAreRefused(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		keep := func(src safetensors.Source) safetensors.Source { return src }
		short := rewrite(t, keep)
		path := filepath.Join(short, bert.WeightsFile)
		if err := os.Truncate(path, 9000); err != nil {
			t.Fatal(err)
		}
		config := func(from, to string) string {
			dir := rewrite(t, keep)
			path := filepath.Join(dir, "config.json")
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			return dir
		}
		for name, c := range map[string]struct{ dir, want string }{
			"cut short": {short, "cut short"},
			"a tensor missing": {rewrite(t, func(src safetensors.Source) safetensors.Source {
				if strings.HasSuffix(src.Name, "layer.1.output.dense.bias") {
					src.Name = ""
				}
				return src
			}), "lacks the tensor bert.encoder.layer.1.output.dense.bias"},
			"another width":       {config(`"hidden_size": 8`, `"hidden_size": 16`), "has the shape [40 8], the configuration says [40 16]"},
			"heads do not divide": {config(`"num_attention_heads": 2`, `"num_attention_heads": 3`), "3 attention heads"},
			"another family":      {config(`"model_type": "bert"`, `"model_type": "t5"`), `model_type is "t5"`},
			"relative positions":  {config(`"absolute"`, `"relative_key"`), "position_embedding_type"},
			"no folder":           {filepath.Join(short, "absent"), "config.json"},
		} {
			if _, err := bert.Load(s, c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
		}
		return nil
	})
}

func TestFreeze(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		in, _ := batch(t, s)
		e, err := bert.Load(s, parity)
		if err != nil {
			return err
		}
		if err := e.Freeze(2); err != nil {
			return err
		}
		e.First(in).Square().Sum().Backward()
		for _, p := range e.Params() {
			moved := p.Value.Grad().Square().Sum().Item() > 0
			if want := strings.Contains(p.Name, "layer.2."); moved != want {
				t.Errorf("%s has a gradient: %v, want %v", p.Name, moved, want)
			}
		}
		if err := e.Freeze(4); err == nil || !strings.Contains(err.Error(), "that has 3") {
			t.Errorf("Freeze(4) says %v", err)
		}
		return nil
	})
}

func TestTooLongSequencesAreRefused(t *testing.T) {
	err := torchtest.Do(t, func(s *torch.Session) error {
		e, err := bert.Load(s, parity)
		if err != nil {
			return err
		}
		e.First(bert.NewInput(s, make([]int64, 13), make([]int64, 13), make([]uint8, 13), 1, 13))
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "12 positions") {
		t.Errorf("13 tokens for 12 positions say %v", err)
	}
}

func TestNewStartsAsHuggingFaceDoes(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		s.Seed(1)
		e, err := bert.New(s, bert.Tiny(500))
		if err != nil {
			return err
		}
		for _, p := range e.Params() {
			mean := p.Value.Mean().Item()
			spread := math.Sqrt(p.Value.Affine(1, -mean).Square().Mean().Item())
			switch {
			case strings.Contains(p.Name, "LayerNorm.weight"):
				if mean != 1 || spread != 0 {
					t.Errorf("%s: mean %g, deviation %g", p.Name, mean, spread)
				}
			case strings.HasSuffix(p.Name, "bias"):
				if mean != 0 || spread != 0 {
					t.Errorf("%s: mean %g, deviation %g", p.Name, mean, spread)
				}
			case p.Value.Len() > 1000 && math.Abs(spread-0.02) > 0.002:
				t.Errorf("%s: deviation %g, want 0.02", p.Name, spread)
			}
		}
		return nil
	})
}
