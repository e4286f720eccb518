package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCurrentModel(t *testing.T) {
	d := Dir(t.TempDir())
	if v, err := d.CurrentModel(); v != "" || err != nil {
		t.Fatalf("of an empty workspace: %q, %v", v, err)
	}
	if err := os.MkdirAll(d.ModelCheckpoint("v1"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(d.Models(), Current)
	point := func(target string) {
		t.Helper()
		_ = os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	point("v1")
	if v, err := d.CurrentModel(); v != "v1" || err != nil {
		t.Errorf("%q, %v", v, err)
	}
	for _, target := range []string{"v2", "../models/v1", "/etc"} {
		point(target)
		if v, err := d.CurrentModel(); err == nil || !strings.Contains(err.Error(), link) {
			t.Errorf("link to %s: %q, %v", target, v, err)
		}
	}
}
