package schedule

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dssdnet/internal/fault"
)

func TestStateThatCannotBeRead(t *testing.T) {
	for content, want := range map[string]string{
		`{"version": 2}`:      "newer program",
		`{"version": 1, "han`: "remove the file",
	} {
		path := filepath.Join(t.TempDir(), "weekly.json")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := loadState(path, Default(), time.Now())
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want the file and %q", content, err, want)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			t.Errorf("the file was touched: %q, %v", got, err)
		}
	}
}

func TestStateComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "schedule", "weekly.json")
	c := Default()
	c.Pipeline, c.Cron = "weekly", "0 6 * * 1"
	now := time.Date(2026, 3, 30, 4, 0, 0, 0, time.UTC)
	s, err := loadState(path, c, now)
	if err != nil || !s.Handled.Equal(now) {
		t.Fatalf("first state %+v, %v", s, err)
	}
	s.Unfinished = &fire{New, now}
	s.LastRun = &LastRun{RunID: "r1", Outcome: Refused, Step: "promote"}
	if err := s.write(path); err != nil {
		t.Fatal(err)
	}
	back, err := loadState(path, c, now.Add(week))
	if err != nil {
		t.Fatal(err)
	}
	if !back.Handled.Equal(now) || *back.Unfinished != *s.Unfinished || *back.LastRun != *s.LastRun || !back.LastSuccess.IsZero() {
		t.Errorf("wrote %+v, read %+v", s, back)
	}
}

func TestValidate(t *testing.T) {
	for want, set := range map[string]func(*Config){
		"nothing to wait for": func(c *Config) { c.Cron = "" },
		"--when-new -1":       func(c *Config) { c.WhenNew = -1 },
		"--topic":             func(c *Config) { c.WhenNew, c.Topic = 1, "" },
		"--poll 0s":           func(c *Config) { c.Poll = 0 },
		"--overlap":           func(c *Config) { c.Overlap = "all" },
		"--missed":            func(c *Config) { c.Missed = "all" },
		"five fields":         func(c *Config) { c.Cron = "monday" },
		"IANA":                func(c *Config) { c.TimeZone = "Vienna" },
	} {
		c := Default()
		c.Cron = "0 6 * * 1"
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		set(&c)
		if err := c.Validate(); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want a usage error with %q", err, want)
		}
	}
}
