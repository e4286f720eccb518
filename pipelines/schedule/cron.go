package schedule

import (
	"strings"
	"time"
	_ "time/tzdata" // time zones on machines and in containers that have none

	"github.com/robfig/cron/v3"

	"dssdnet/internal/fault"
)

// fields are the five of crontab(5), and names such as @weekly.
const fields = cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Descriptor

// line is a cron line in a time zone.
type line struct {
	spec *cron.SpecSchedule // in UTC, which stands for the clock on the wall: it has neither gaps nor repetitions
	zone *time.Location
	// hourly is set when the hour is a star. Such a line means "every so often"; any other means a time of day.
	hourly bool
}

// parseLine reads a cron line. The error is a fault.Usage.
func parseLine(text, zone string) (*line, error) {
	if strings.HasPrefix(text, "TZ=") || strings.HasPrefix(text, "CRON_TZ=") {
		return nil, fault.New(fault.Usage, "cron line %q: give the time zone with --time-zone", text)
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return nil, fault.New(fault.Usage, "--time-zone %q: no such time zone; give one of the IANA database, such as Europe/Vienna, UTC or Local", zone)
	}
	parsed, err := cron.NewParser(fields).Parse(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "cron line %q: %w; it has five fields: minute, hour, day of the month, month, day of the week (0-6 or sun-sat)", text, err)
	}
	spec, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return nil, fault.New(fault.Usage, "cron line %q: @every has no fixed times that could be missed; write a line such as \"0 */6 * * *\"", text)
	}
	spec.Location = time.UTC
	hour := strings.Fields(text)
	l := &line{spec: spec, zone: loc, hourly: text == "@hourly" || len(hour) > 1 && strings.HasPrefix(hour[1], "*")}
	if l.spec.Next(time.Now().UTC()).IsZero() {
		return nil, fault.New(fault.Usage, "cron line %q: there is no such day", text)
	}
	return l, nil
}

// before is how much earlier than an instant the search begins: more than any zone's clock is set back, unless the zone
// moves to the other side of the date line.
const before = 3 * time.Hour

// next returns the first fire after t.
func (l *line) next(t time.Time) time.Time {
	var best time.Time
	// The first instant of wall times never goes back as they go on. So the search can end at the first wall time whose
	// first instant is no improvement.
	for w := l.spec.Next(wallOf(t, l.zone).Add(-before)); !w.IsZero(); w = l.spec.Next(w) {
		instants, exists := instantsOf(w, l.zone)
		if !best.IsZero() && !instants[0].Before(best) {
			return best
		}
		if l.hourly && !exists {
			continue
		}
		if !l.hourly {
			instants = instants[:1]
		}
		for _, at := range instants {
			if at.After(t) && (best.IsZero() || at.Before(best)) {
				best = at
			}
		}
	}
	return best
}

// missedLimit ends the counting of missed fires.
const missedLimit = 1000

// count returns how many fires lie in (from, to], up to missedLimit.
func (l *line) count(from, to time.Time) int {
	n := 0
	for at := l.next(from); n < missedLimit && !at.IsZero() && !at.After(to); at = l.next(at) {
		n++
	}
	return n
}
