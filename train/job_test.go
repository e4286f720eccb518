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
