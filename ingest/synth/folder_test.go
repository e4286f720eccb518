package synth

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dssdnet/internal/fault"
)

func TestFinishedRunIsLeftAlone(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "out"))
	first := run(t, cfg)
	probe := filepath.Join(cfg.Out, "qrels-train.txt")
	if err := os.Truncate(probe, 0); err != nil {
		t.Fatal(err)
	}
	if second := run(t, cfg); !reflect.DeepEqual(first, second) {
		t.Errorf("the second run says %+v, the first %+v", second, first)
	}
	if info, err := os.Stat(probe); err != nil || info.Size() != 0 {
		t.Errorf("the second run wrote: %v %v", info, err)
	}
}

func TestForeignFolderIsRefused(t *testing.T) {
	t.Parallel()
	cfg := small(t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(cfg.Out, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string) {
		t.Helper()
		before := hashes(t, cfg.Out)
		_, err := Run(context.Background(), cfg)
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want a rejection with %q", err, want)
		}
		if !maps.Equal(hashes(t, cfg.Out), before) {
			t.Error("the refused folder was changed")
		}
	}
	write("thesis.txt", "x")
	refused("thesis.txt")
	if err := os.Remove(filepath.Join(cfg.Out, "thesis.txt")); err != nil {
		t.Fatal(err)
	}
	write("synth.json", "x")
	refused("not a record of synth")
	if err := os.Remove(filepath.Join(cfg.Out, "synth.json")); err != nil {
		t.Fatal(err)
	}
	run(t, cfg)
	cfg.Seed++
	refused("other settings")
}

// TestSecondProcessIsRefused holds the lock as another run would.
func TestSecondProcessIsRefused(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "out"))
	held, _, err := openFolder(cfg.Out, cfg.identity())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), cfg); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "being written") {
		t.Errorf("error %v, want a rejection", err)
	}
	held.close()
	run(t, cfg)
}

// TestTornFileIsRepaired has a file cut short by a power cut in an unfinished run.
func TestTornFileIsRepaired(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "out"))
	run(t, cfg)
	want := hashes(t, cfg.Out)
	data, err := os.ReadFile(filepath.Join(cfg.Out, doneName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cfg.Out, startedName), data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(cfg.Out, doneName)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(cfg.Out, collectionName, treePath(300), ucid(300, firstKind(cfg, 300))+".xml"), 100); err != nil {
		t.Fatal(err)
	}
	run(t, cfg)
	if got := hashes(t, cfg.Out); !maps.Equal(got, want) {
		t.Error("the torn file is still torn")
	}
}

func firstKind(cfg Config, n int) string {
	p := newUniverse(cfg).patent(n)
	return p.firstKind()
}

// TestKilledInItsFirstMoment has the folder as a run leaves it that was killed before it could say whose it is.
func TestKilledInItsFirstMoment(t *testing.T) {
	t.Parallel()
	cfg := small(t.TempDir())
	torn := filepath.Join(cfg.Out, ".tmp-123-"+startedName)
	if err := os.WriteFile(torn, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, cfg)
	if _, err := os.Stat(torn); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", torn, err)
	}
}
