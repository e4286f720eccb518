package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dssdnet/train/bert"
	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
	"dssdnet/train/wordpiece"
)

// TestTransformersAgrees loads a saved `best`, and the encoder that DSSDNET_ENCODER names, with Hugging Face's own
// library: same tokens, same [CLS] states within 1e-4.
func TestTransformersAgrees(t *testing.T) {
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		t.Skip("needs DSSDNET_PYTHON, a Python with transformers and torch")
	}
	if err := exec.Command(python, "-c", "import torch, transformers").Run(); err != nil {
		t.Skipf("needs transformers and torch in %s", python)
	}
	c := small(t)
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	dirs := []string{filepath.Join(c.folder(1), bestName)}
	if dir := os.Getenv("DSSDNET_ENCODER"); dir != "" {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		compareWithTransformers(t, python, dir)
	}
}

func compareWithTransformers(t *testing.T, python, dir string) {
	t.Helper()
	const limit = 48
	texts := [][2]string{
		{"Pump with a sealed rotor", "A valve for H₂SO₄ at 37 °C, comprising α-alumina and a brake"},
		{"", "laser"},
		{"Übertragungseinrichtung für Wälzlager der Bauart 3.1", "半導体装置 and a lens; the lens being polymer, the battery having an anode, a gear and a loom of yarn " +
			"and further gears, brakes, catheters, syringes, enzymes and seals for the pump of the first device"},
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, filepath.Join("testdata", "reference", "hidden.py"), dir, fmt.Sprint(limit))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	cmd.Env = append(os.Environ(), "HF_HUB_OFFLINE=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("transformers cannot load %s: %v", dir, err)
	}
	var want []struct {
		IDs   []int64   `json:"ids"`
		First []float64 `json:"first"`
	}
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	torchtest.Run(t, func(s *torch.Session) error {
		e, err := bert.Load(s, dir)
		if err != nil {
			return err
		}
		k, err := bert.LoadTokenizer(dir, e.Config)
		if err != nil {
			return err
		}
		for i, text := range texts {
			b := k.Pairs([]wordpiece.Pair{{A: text[0], B: text[1]}}, limit, 1)
			if fmt.Sprint(b.IDs) != fmt.Sprint(want[i].IDs) {
				t.Errorf("%s, pair %d: tokens %v, transformers has %v", dir, i, b.IDs, want[i].IDs)
				continue
			}
			got := torch.Values[float32](e.First(bert.NewInput(s, b.IDs, b.Types, b.Mask, b.Rows, b.Length)))
			for j, v := range got {
				if !(math.Abs(float64(v)-want[i].First[j]) < 1e-4) {
					t.Errorf("%s, pair %d: state %d is %v, transformers has %v", dir, i, j, v, want[i].First[j])
					break
				}
			}
		}
		return nil
	})
}
