package schedule

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dssdnet/internal/fault"
)

func mustLine(t rapid.TB, text, zone string) *line {
	l, err := parseLine(text, zone)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		why, line, zone, after string
		want                   []string
	}{
		{"Monday mornings, over the change to summer time", "0 6 * * 1", "Europe/Vienna", "2026-03-22T12:00:00Z",
			[]string{"2026-03-23T05:00:00Z", "2026-03-30T04:00:00Z"}},
		{"a time that does not exist fires when the gap ends", "30 2 * * *", "Europe/Vienna", "2026-03-28T12:00:00Z",
			[]string{"2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}},
		{"two times in one gap are one fire", "15,45 2 * * *", "Europe/Vienna", "2026-03-28T12:00:00Z",
			[]string{"2026-03-29T01:00:00Z", "2026-03-30T00:15:00Z"}},
		{"a time that comes twice fires the first time", "30 2 * * *", "Europe/Vienna", "2026-10-24T12:00:00Z",
			[]string{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}},
		{"asked between the two", "30 2 * * *", "Europe/Vienna", "2026-10-25T00:45:00Z", []string{"2026-10-26T01:30:00Z"}},
		{"every hour goes on through the repeated one", "30 * * * *", "Europe/Vienna", "2026-10-24T23:45:00Z",
			[]string{"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"}},
		{"every hour knows no gap", "30 * * * *", "Europe/Vienna", "2026-03-29T00:15:00Z",
			[]string{"2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"}},
		{"a midnight that does not exist", "0 0 * * *", "Asia/Beirut", "2026-03-28T12:00:00Z",
			[]string{"2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z"}},
		{"half an hour of summer time", "15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z",
			[]string{"2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"}},
		{"a zone without changes", "0 6 * * 1", "UTC", "2026-03-22T12:00:00Z", []string{"2026-03-23T06:00:00Z"}},
		{"a leap day", "0 0 29 2 *", "UTC", "2026-03-01T00:00:00Z", []string{"2028-02-29T00:00:00Z"}},
	} {
		l := mustLine(t, c.line, c.zone)
		at, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			at = l.next(at)
			if got := at.UTC().Format(time.RFC3339); got != want {
				t.Errorf("%s: %q in %s: %s, want %s", c.why, c.line, c.zone, got, want)
			}
		}
	}
}

// TestNextAgreesWithTheClock walks through days minute by minute, as a clock does, and expects the same fires.
func TestNextAgreesWithTheClock(t *testing.T) {
	zones := []string{"Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Beirut", "America/Sao_Paulo", "UTC"}
	days := []string{"2026-03-07", "2026-03-28", "2026-04-04", "2026-10-03", "2026-10-24", "2026-10-31", "2018-11-03", "2018-02-17"}
	rapid.Check(t, func(t *rapid.T) {
		zone, day := rapid.SampledFrom(zones).Draw(t, "zone"), rapid.SampledFrom(days).Draw(t, "day")
		hour := rapid.SampledFrom([]string{"*", "0", "1", "2", "3", "1-3", "0,23"}).Draw(t, "hour")
		text := fmt.Sprintf("%d,%d %s * * *", rapid.IntRange(0, 59).Draw(t, "minute"), rapid.IntRange(0, 59).Draw(t, "other minute"), hour)
		l := mustLine(t, text, zone)
		from, err := time.ParseInLocation(time.DateOnly, day, l.zone)
		if err != nil {
			t.Fatal(err)
		}
		to := from.Add(72 * time.Hour)
		want := clockwork(l, from, to)
		var got []string
		for at := l.next(from); !at.After(to); at = l.next(at) {
			got = append(got, at.UTC().Format(time.RFC3339))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Fatalf("%q in %s from %s:\n got %s\nwant %s", text, zone, from, got, want)
		}
	})
}

// clockwork looks at the wall each minute. A line with a fixed hour fires at each of its wall times that has not been
// shown before, also when the hand has just jumped over it.
func clockwork(l *line, from, to time.Time) (fires []string) {
	shown := wallOf(from, l.zone) // the latest that the wall has shown
	for at := from.Add(time.Minute); !at.After(to); at = at.Add(time.Minute) {
		w := wallOf(at, l.zone)
		due := l.spec.Next(w.Add(-time.Second)).Equal(w)
		if !l.hourly {
			due = w.After(shown) && !l.spec.Next(shown).After(w)
		}
		if due {
			fires = append(fires, at.UTC().Format(time.RFC3339))
		}
		if w.After(shown) {
			shown = w
		}
	}
	return fires
}

func TestParseLineRefuses(t *testing.T) {
	for _, c := range [][3]string{
		{"0 6 * *", "UTC", "five fields"},
		{"0 25 * * *", "UTC", "25"},
		{"0 0 30 2 *", "UTC", "no such day"},
		{"@every 5m", "UTC", "@every"},
		{"TZ=UTC 0 6 * * *", "UTC", "--time-zone"},
		{"TZ=", "UTC", "--time-zone"},
		{"0 6 * * *", "Mars/Olympus", "IANA"},
		{"", "UTC", "empty"},
	} {
		_, err := parseLine(c[0], c[1])
		if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%q in %q: %v, want a usage error with %q", c[0], c[1], err, c[2])
		}
	}
}

func TestCountEnds(t *testing.T) {
	l := mustLine(t, "* * * * *", "UTC")
	if n := l.count(time.Unix(0, 0), time.Unix(0, 0).AddDate(1, 0, 0)); n != missedLimit {
		t.Errorf("%d fires counted in a year, want %d", n, missedLimit)
	}
}
