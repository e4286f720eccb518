package weights

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

func TestSourcesThenRestore(t *testing.T) {
	torchtest.Run(t, func(s *torch.Session) error {
		params := func(fill float64) []torch.Param {
			return []torch.Param{
				{Name: "a", Value: s.Full(fill, torch.Float32, 2, 2)},
				{Name: "b", Value: torch.Of(s, []float32{1, 2, 3, 4}, 4).Scale(fill), Parts: []string{"q", "k"}},
			}
		}
		path := filepath.Join(t.TempDir(), "w.safetensors")
		out, err := os.Create(path)
		if err != nil {
			return err
		}
		if err := safetensors.Write(out, Sources(s, params(2), "x."), nil); err != nil {
			return err
		}
		if err := out.Close(); err != nil {
			return err
		}
		f, err := safetensors.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if want := []string{"x.a", "x.k", "x.q"}; !slices.Equal(f.Names(), want) {
			t.Errorf("names %v, want %v", f.Names(), want)
		}
		got := params(7)
		if err := Restore(s, f, "x.", got); err != nil {
			return err
		}
		if v := torch.Values[float32](got[0].Value); !slices.Equal(v, []float32{2, 2, 2, 2}) {
			t.Errorf("a = %v", v)
		}
		if v := torch.Values[float32](got[1].Value); !slices.Equal(v, []float32{2, 4, 6, 8}) {
			t.Errorf("b = %v", v)
		}
		err = Restore(s, f, "y.", got)
		if err == nil || !strings.Contains(err.Error(), "y.a") || !strings.Contains(err.Error(), path) {
			t.Errorf("a missing tensor says %v", err)
		}
		return nil
	})
}
