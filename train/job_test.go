package train

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/manifest"
	"dssdnet/train/bert"
)

func TestARunIsRecordedAndNotRepeated(t *testing.T) {
	c := small(t)
	c.Encoder, c.MaxSteps = savedEncoder(t, c), 4
	if err := os.WriteFile(filepath.Join(c.pairsDir(), "manifest.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Load(c.Workspace.Manifests(), stage, c.Run)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, input := range m.Inputs {
		if len(input.SHA256) != 64 {
			t.Errorf("%+v has no hash", input)
		}
		paths = append(paths, input.Path)
	}
	want := []string{"pairs/default/manifest.json", "pairs/default/train-00000.arrow", "pairs/default/train-00001.arrow", "pairs/default/valid-00000.arrow"}
	for _, name := range []string{configFile, bert.VocabFile, bert.WeightsFile} {
		want = append(want, filepath.Join(c.Encoder, name))
	}
	if !slices.Equal(paths, want) {
		t.Errorf("inputs %v, want %v", paths, want)
	}

	for _, resume := range []bool{false, true} {
		c.Resume = resume
		again, err := Run(t.Context(), c)
		if err != nil || !again.Skipped {
			t.Fatalf("a second run, resume %v: %+v, %v", resume, again, err)
		}
		again.Skipped = false
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("the skipped run's result differs:\n%s", diff)
		}
	}

	c.Resume, c.MaxSteps = false, 6
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("more steps over a finished run: %v", err)
	}
	c.Resume = true
	longer, err := Run(t.Context(), c)
	if err != nil || longer.Skipped || longer.Seeds[0].Steps != 6 {
		t.Errorf("resumed for more steps: %+v, %v", longer, err)
	}
}

func TestALostCheckpointIsNotNothingToDo(t *testing.T) {
	c := small(t)
	c.MaxSteps = 2
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(c.folder(1)); err != nil {
		t.Fatal(err)
	}
	again, err := Run(t.Context(), c)
	if err != nil || again.Skipped || again.Seeds[0].Steps != 2 {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestEncoderOfTheHub starts from a model in the cache that Hugging Face's tools share.
func TestEncoderOfTheHub(t *testing.T) {
	c := small(t)
	saved := savedEncoder(t, c)
	home := t.TempDir()
	t.Setenv("HF_HUB_CACHE", "")
	t.Setenv("HF_HOME", home)
	t.Setenv("HF_HUB_OFFLINE", "1")
	c.Encoder, c.MaxSteps = "org/model", 2
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "lacks config.json, vocab.txt, model.safetensors") {
		t.Errorf("an empty cache: %v", err)
	}
	commit := strings.Repeat("a", 40)
	model := filepath.Join(home, "hub", "models--org--model")
	if err := os.CopyFS(filepath.Join(model, "snapshots", commit), os.DirFS(saved)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(model, "refs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(model, "refs", "main"), []byte(commit), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c); err != nil {
		t.Error(err)
	}
	c.Encoder = "./absent/folder"
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "no such folder") {
		t.Errorf("no folder: %v", err)
	}
}
