package synth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dssdnet/internal/fault"
)

func small(out string) Config {
	cfg := Default()
	cfg.Out, cfg.Patents, cfg.Topics, cfg.DescriptionWords = out, 400, 40, 80
	return cfg
}

func run(t *testing.T, cfg Config) Result {
	t.Helper()
	result, err := Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// hashes maps the files below dir to hashes of their contents.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		sum := sha256.Sum256(data)
		sums[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	for _, archive := range []string{"", "tar.gz"} {
		cfg := small(filepath.Join(t.TempDir(), "one"))
		cfg.HazardShare, cfg.Archive, cfg.Workers = 0.1, archive, 1
		if archive != "" {
			cfg.Patents = 2*archivePatents + 500
		}
		first := run(t, cfg)
		want := hashes(t, cfg.Out)
		cfg.Out, cfg.Workers = filepath.Join(t.TempDir(), "two"), 7
		second := run(t, cfg)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("archive %q: results differ:\n%+v\n%+v", archive, first, second)
		}
		if got := hashes(t, cfg.Out); !maps.Equal(got, want) {
			t.Errorf("archive %q: %d and %d files differ", archive, len(want), len(got))
		}
		cfg.Out, cfg.Seed = filepath.Join(t.TempDir(), "three"), 2
		run(t, cfg)
		if got := hashes(t, cfg.Out); maps.Equal(got, want) {
			t.Errorf("archive %q: another seed gives the same collection", archive)
		}
	}
}

// TestKilledRunIsCompleted kills a child process at ten moments of each layout, then lets it finish.
func TestKilledRunIsCompleted(t *testing.T) {
	t.Parallel()
	const variable = "SYNTH_TEST_CHILD"
	if text := os.Getenv(variable); text != "" {
		var cfg Config
		if err := json.Unmarshal([]byte(text), &cfg); err != nil {
			t.Fatal(err)
		}
		run(t, cfg)
		return
	}
	for _, archive := range []string{"", "tar.gz"} {
		cfg := small(filepath.Join(t.TempDir(), "undisturbed"))
		cfg.Patents, cfg.Archive = 1500, archive
		want := run(t, cfg)
		wantFiles := hashes(t, cfg.Out)

		cfg.Out = filepath.Join(t.TempDir(), "killed")
		text, err := json.Marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		killed := 0
		for i := range 10 {
			child := exec.Command(os.Args[0], "-test.run=^TestKilledRunIsCompleted$")
			child.Env = append(os.Environ(), variable+"="+string(text))
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(30+50*i) * time.Millisecond)
			if child.Process.Kill() == nil {
				killed++
			}
			_ = child.Wait()
		}
		if got := run(t, cfg); !reflect.DeepEqual(got, want) {
			t.Errorf("archive %q: after %d kills %+v, undisturbed %+v", archive, killed, got, want)
		}
		if got := hashes(t, cfg.Out); !maps.Equal(got, wantFiles) {
			t.Errorf("archive %q: after %d kills %d files, undisturbed %d, or other bytes", archive, killed, len(got), len(wantFiles))
		}
	}
}

// TestBatchesMakeTheCollection writes a universe in one go and in three batches.
func TestBatchesMakeTheCollection(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "whole"))
	cfg.Patents, cfg.Topics, cfg.HazardShare = 1200, 0, 0.05
	whole := run(t, cfg)
	want := hashes(t, filepath.Join(cfg.Out, collectionName))
	got := map[string]string{}
	sum, first := newResult(), 1
	for _, patents := range []int{400, 300, 500} {
		cfg.Out = filepath.Join(t.TempDir(), "batch")
		cfg.FirstPatent, cfg.Patents = first, patents
		sum.add(run(t, cfg))
		for name, hash := range hashes(t, filepath.Join(cfg.Out, collectionName)) {
			if _, twice := got[name]; twice {
				t.Errorf("%s is in two batches", name)
			}
			got[name] = hash
		}
		first += patents
	}
	if !maps.Equal(got, want) {
		t.Errorf("the batches have %d files, the collection %d, or they differ", len(got), len(want))
	}
	sum.Patents, whole.Patents = 0, 0 // a patent of two batches counts in both
	if !reflect.DeepEqual(sum, whole) {
		t.Errorf("the batches count %+v, the collection %+v", sum, whole)
	}
}

func TestArchiveHoldsTheTree(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "tree"))
	cfg.Patents = 2100 // two archives
	tree := run(t, cfg)
	want := hashes(t, filepath.Join(cfg.Out, collectionName))
	cfg.Out, cfg.Archive = filepath.Join(t.TempDir(), "archive"), "tar.gz"
	if archive := run(t, cfg); !reflect.DeepEqual(archive, tree) {
		t.Errorf("archive %+v, tree %+v", archive, tree)
	}
	got := map[string]string{}
	for name := range hashes(t, filepath.Join(cfg.Out, collectionName)) {
		for member, content := range untar(t, filepath.Join(cfg.Out, collectionName, name)) {
			sum := sha256.Sum256(content)
			got[member] = hex.EncodeToString(sum[:])
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the archives have %d files, the tree %d, or they differ", len(got), len(want))
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Out = "" }, "folder to write"},
		{func(c *Config) { c.Patents = 0 }, "--patents 0"},
		{func(c *Config) { c.FirstPatent = maxPatents }, "numbered 1 to"},
		{func(c *Config) { c.Topics = c.Patents }, "--topics"},
		{func(c *Config) { c.HazardShare = 1.5 }, "--hazard-share 1.5"},
		{func(c *Config) { c.CrossSubclassShare = -1 }, "--cross-subclass-share"},
		{func(c *Config) { c.DescriptionWords = 0 }, "--description-words"},
		{func(c *Config) { c.Archive = "zip" }, "--archive"},
		{func(c *Config) { c.Workers = -1 }, "--workers"},
	} {
		cfg := small("out")
		c.change(&cfg)
		if err := cfg.Validate(); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want a usage error with %q", err, c.want)
		}
	}
	if err := small("out").Validate(); err != nil {
		t.Error(err)
	}
}

// TestStopsWhenTold cancels a run and completes it.
func TestStopsWhenTold(t *testing.T) {
	t.Parallel()
	cfg := small(filepath.Join(t.TempDir(), "out"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, cfg); err == nil {
		t.Fatal("a cancelled run has no error")
	}
	run(t, cfg)
	if data, err := os.ReadFile(filepath.Join(cfg.Out, doneName)); err != nil || !bytes.Contains(data, []byte(`"seed": 1`)) {
		t.Errorf("synth.json: %s %v", data, err)
	}
}
