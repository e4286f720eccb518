package dssd_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/train/bert"
	"dssdnet/train/dssd"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
	"dssdnet/train/weights"
)

// parity is what PyTorch computed: testdata/reference/make_parity.py.
const parity = "../testdata/parity"

type expected struct {
	Terms map[string]float64 `json:"terms"`
	Score []float32          `json:"score"`
	Curve []float64          `json:"curve"`
}

func report(t *testing.T) (alpha float64, models map[string]expected) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parity, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	models = map[string]expected{}
	for _, name := range dssd.Models {
		var e expected
		if err := json.Unmarshal(raw[name], &e); err != nil {
			t.Fatal(err)
		}
		models[name] = e
	}
	if err := json.Unmarshal(raw["alpha"], &alpha); err != nil {
		t.Fatal(err)
	}
	return alpha, models
}

func open(t *testing.T, name string) *safetensors.File {
	t.Helper()
	f, err := safetensors.Open(filepath.Join(parity, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func batch(t *testing.T, s *torch.Session) (bert.Input, dssd.Labels) {
	t.Helper()
	f := open(t, "batch.safetensors")
	read := func(name string, d torch.DType) *torch.Tensor {
		v, ok := f.Tensor(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		return s.Raw(v.Data, d, v.Shape...)
	}
	labels := func(name string) []int8 {
		var all []int8
		for _, v := range torch.Values[float32](read(name, torch.Float32)) {
			all = append(all, int8(v))
		}
		return all
	}
	ids, types, mask := read("ids", torch.Int64), read("types", torch.Int64), read("mask", torch.Uint8)
	l, err := dssd.NewLabels(s, labels("relevance"), labels("domain"))
	if err != nil {
		t.Fatal(err)
	}
	return bert.NewInput(s, torch.Values[int64](ids), torch.Values[int64](types), torch.Values[uint8](mask), ids.Dim(0), ids.Dim(1)), l
}

// TestEqualsPyTorch compares every loss term, the scores, every gradient, and the losses of 50 steps of AdamW, for the
// network and each ablation.
func TestEqualsPyTorch(t *testing.T) {
	alpha, models := report(t)
	for _, name := range dssd.Models {
		t.Run(name, func(t *testing.T) {
			torchtest.Run(t, func(s *torch.Session) error {
				want := models[name]
				in, labels := batch(t, s)
				encoder, err := bert.Load(s, parity)
				if err != nil {
					return err
				}
				c := dssd.Default()
				c.Model, c.HardNegatives = name, 2
				net, err := dssd.New(s, c, encoder.Config.HiddenSize)
				if err != nil {
					return err
				}
				if err := weights.Restore(s, open(t, "network-"+name+".safetensors"), "", net.Params()); err != nil {
					return err
				}
				params := torch.ParamValues(append(encoder.Params(), net.Params()...))
				optimizer := torch.NewAdamW(s, params, 2e-3, 5e-4)
				for step, total := range want.Curve {
					err := s.Scope(func() error {
						o := net.Forward(encoder.First(in), labels.Domain)
						loss := net.Loss(o, labels, alpha, true)
						optimizer.ZeroGrad()
						loss.Total.Backward()
						if step == 0 {
							compareTerms(t, loss, o, want)
							compareGradients(t, s, open(t, "gradients-"+name+".safetensors"), encoder, net)
						}
						if got := loss.Total.Item(); !(math.Abs(got-total) < 1e-3) {
							t.Fatalf("step %d: loss %v, want %v", step, got, total)
						}
						optimizer.Step()
						return nil
					})
					if err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

func compareTerms(t *testing.T, loss dssd.Loss, o dssd.Output, want expected) {
	t.Helper()
	if len(loss.Terms) != len(want.Terms) {
		t.Errorf("%d terms, want %d", len(loss.Terms), len(want.Terms))
	}
	for _, term := range loss.Terms {
		if got := term.Value.Item(); !(math.Abs(got-want.Terms[term.Name]) < 1e-5) {
			t.Errorf("term %s = %v, want %v", term.Name, got, want.Terms[term.Name])
		}
	}
	for i, got := range torch.Values[float32](o.Score) {
		if !(math.Abs(float64(got-want.Score[i])) < 1e-5) {
			t.Errorf("score[%d] = %v, want %v", i, got, want.Score[i])
		}
	}
}

func compareGradients(t *testing.T, s *torch.Session, f *safetensors.File, encoder *bert.Encoder, net *dssd.Model) {
	t.Helper()
	compared := 0
	check := func(prefix string, params []torch.Param) {
		for _, p := range params {
			names := p.Parts
			if names == nil {
				names = []string{p.Name}
			}
			var joined []string
			for _, n := range names {
				joined = append(joined, prefix+n)
			}
			want, err := weights.Join(s, f, joined, p.Value.Shape())
			if err != nil {
				t.Fatal(err)
			}
			a, b := torch.Values[float32](p.Value.Grad()), torch.Values[float32](want)
			for i := range a {
				if !(math.Abs(float64(a[i]-b[i])) < 1e-5) {
					t.Errorf("gradient of %s[%d] = %v, want %v", p.Name, i, a[i], b[i])
					break
				}
			}
			compared += len(names)
		}
	}
	check("bert.", encoder.Params())
	check("dssd.", net.Params())
	if compared != len(f.Names()) {
		t.Errorf("%d gradients compared, PyTorch has %d: %s", compared, len(f.Names()), strings.Join(f.Names(), " "))
	}
}
