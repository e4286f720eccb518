package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

type stage struct {
	Workspace string        `yaml:"-"`
	Share     float64       `yaml:"max-dead-share" help:"share"`
	Size      Bytes         `yaml:"file-bytes" help:"size"`
	Wait      time.Duration `yaml:"wait" help:"wait"`
	Names     []string      `yaml:"names" help:"names"`
	Fast      bool          `yaml:"fast" help:"fast"`
	Link      link          `yaml:",inline"`
}

type link struct {
	Retries int `yaml:"retries" help:"retries"`
}

func defaults() stage {
	return stage{Share: 0.05, Size: 64 << 20, Wait: time.Second, Names: []string{"a", "b"}, Link: link{3}}
}

// TestPrecedence sets one value by every source and expects flag before environment before file before default.
func TestPrecedence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.yaml")
	text := "consume:\n  max-dead-share: 0.5\n  wait: 2s\n  names: [x, y]\n  retries: 7\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := defaults()
	s := New("consume", &cfg)
	flags := pflag.NewFlagSet("t", pflag.ContinueOnError)
	s.AddFlags(flags)
	if err := flags.Parse([]string{"--max-dead-share", "0.9", "--fast"}); err != nil {
		t.Fatal(err)
	}
	file, err := LoadFile(path, []*Section{s})
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"DSSDNET_CONSUME_WAIT": "3s", "DSSDNET_CONSUME_MAX_DEAD_SHARE": "0.7"}
	if err := s.Resolve(func(k string) (string, bool) { v, ok := env[k]; return v, ok }, file); err != nil {
		t.Fatal(err)
	}
	if cfg.Share != 0.9 || cfg.Wait != 3*time.Second || cfg.Link.Retries != 7 || cfg.Size != 64<<20 || !cfg.Fast ||
		strings.Join(cfg.Names, " ") != "x y" {
		t.Errorf("config is %+v", cfg)
	}
	origins := map[string]string{}
	s.Each(func(key, _, origin string) { origins[key] = origin })
	for key, want := range map[string]string{
		"max-dead-share": "flag --max-dead-share", "wait": "environment DSSDNET_CONSUME_WAIT",
		"retries": path + ":5", "file-bytes": "default",
	} {
		if origins[key] != want {
			t.Errorf("%s comes from %q, want %q", key, origins[key], want)
		}
	}
}

// TestAssign puts values above those of the environment: a list loses what it had before.
func TestAssign(t *testing.T) {
	cfg := defaults()
	s := New("consume", &cfg)
	if err := s.Resolve(func(k string) (string, bool) { return "z", k == "DSSDNET_CONSUME_NAMES" }, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Assign("names", "demo.yaml:7", "x,y", "w"); err != nil {
		t.Fatal(err)
	}
	if err := s.Assign("retries", "demo.yaml:8", "9"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(cfg.Names, " "); got != "x y w" || cfg.Link.Retries != 9 {
		t.Errorf("config is %+v", cfg)
	}
	if err := s.Assign("retries", "", "many"); err == nil || !strings.Contains(err.Error(), "whole number") {
		t.Errorf("many retries: %v", err)
	}
	if err := s.Assign("retires", "", "1"); err == nil || !strings.Contains(err.Error(), `no setting "retires"`) {
		t.Errorf("an unknown key: %v", err)
	}
	s.Each(func(key, _, origin string) {
		if key == "retries" && origin != "demo.yaml:8" {
			t.Errorf("retries comes from %q", origin)
		}
	})
	if got := strings.Join(s.Keys(), " "); got != "max-dead-share file-bytes wait names fast retries" {
		t.Errorf("keys are %s", got)
	}
}

func TestFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"consume:\n  max-ded-share: 1\n":                     `:2: unknown key "max-ded-share" in section consume`,
		"nope: 1\n":                                          `:1: unknown key "nope" at the top level`,
		"consume: 3\n":                                       ":1: want keys with values",
		"consume:\n  wait: {a: 1}\n":                         ":2: wait: want a value",
		"consume:\n  wait: soon\n":                           `:2: wait: "soon" is not a duration`,
		"consume:\n  wait: 1s\n  wait: 2s\n":                 "stands twice",
		"consume:\n  file-bytes: 3 elephants\n":              `"3 elephants" is not a size`,
		"consume:\n  retries: 1.5\nconsume:\n  retries: 2\n": "stands twice",
	} {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg := defaults()
		s := New("consume", &cfg)
		file, err := LoadFile(path, []*Section{s})
		if err == nil {
			err = s.Resolve(func(string) (string, bool) { return "", false }, file)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]Bytes{"0": 0, "512": 512, "64MiB": 64 << 20, "2 GiB": 2 << 30, "1TiB": 1 << 40, "7B": 7} {
		got, err := ParseBytes(text)
		if err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v", text, got, err)
		}
		if back, err := ParseBytes(got.String()); err != nil || back != got {
			t.Errorf("%q prints as %q", text, got)
		}
	}
	for _, bad := range []string{"", "-1", "1.5GiB", "9999999TiB", "GiB"} {
		if got, err := ParseBytes(bad); err == nil {
			t.Errorf("ParseBytes(%q) = %d, want an error", bad, got)
		}
	}
}
