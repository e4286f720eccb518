package schedule

import (
	"testing"
	"time"
)

func TestPunctualAndMissed(t *testing.T) {
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		line   string
		asleep time.Duration
		fire   bool
		missed int
	}{
		{"* * * * *", time.Minute + 10*time.Millisecond, true, 0},
		{"* * * * *", 3 * time.Minute, true, 0},
		{"* * * * *", time.Hour, true, 0}, // the latest is punctual, and takes the others with it
		{"0 6 * * *", 6*time.Hour + time.Second, true, 0},
		{"0 6 * * *", 6*time.Hour + onTime - time.Second, true, 0},
		{"0 6 * * *", 6*time.Hour + onTime, true, 1},
		{"0 6 * * *", 5*day + 12*time.Hour, true, 6},
		{"0 6 * * *", 5 * time.Hour, false, 0},
	} {
		at := calendar{line: mustLine(t, c.line, "UTC"), handled: start}
		now := start.Add(c.asleep)
		d := at.look(now)
		if d.at.IsZero() == c.fire || d.missed != c.missed || !d.next.After(now) {
			t.Errorf("%q after %s: %+v, want %d missed", c.line, c.asleep, d, c.missed)
		}
		if again := at.look(now); !again.at.IsZero() || !again.next.Equal(d.next) {
			t.Errorf("%q after %s: the next look finds %+v", c.line, c.asleep, again)
		}
	}
}

func TestSetBack(t *testing.T) {
	start := time.Date(2026, 1, 5, 6, 0, 1, 0, time.UTC)
	c := calendar{line: mustLine(t, "0 6 * * *", "UTC"), handled: start}
	if d := c.look(start.Add(-setBack + time.Minute)); d.back || d.next.Day() != 6 {
		t.Errorf("set back by less than an hour: %+v", d)
	}
	if d := c.look(start.Add(-2 * setBack)); !d.back || d.next.Day() != 5 {
		t.Errorf("set back by two hours: %+v", d)
	}
	if d := c.look(start.Add(-2*setBack + time.Second)); d.back {
		t.Errorf("a second later: %+v", d)
	}
	if d := c.look(start.Add(time.Second)); !d.at.IsZero() || d.next.Day() != 6 {
		t.Errorf("set right again: %+v", d)
	}
}
