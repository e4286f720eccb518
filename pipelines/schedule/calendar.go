package schedule

import "time"

const (
	// onTime is how late a fire may be seen and still counts as punctual.
	onTime = 5 * time.Minute
	// setBack is how far the clock may be set back without fires being repeated.
	setBack = time.Hour
)

// calendar finds the fires of a cron line on a clock that people and programs may set.
type calendar struct {
	line *line
	// handled is up to when every fire has been dealt with.
	handled time.Time
	// restart takes the part of handled while the clock shows a time so long before it that one of the two must have
	// been wrong.
	restart time.Time
}

// due is the fires that have come since the last look.
type due struct {
	at     time.Time // of the first; zero when there is none
	missed int       // how many there are if nobody was there at the time of the latest, up to missedLimit; else 0
	back   bool      // the clock has been set back since the last look, by more than setBack
}

// look returns the fires up to now and counts them as dealt with.
func (c *calendar) look(now time.Time) (d due) {
	from := c.from(now, &d)
	first := c.line.next(from)
	if first.IsZero() || first.After(now) {
		return d
	}
	c.handled, c.restart = now, time.Time{}
	d.at = first
	if recent := c.line.next(now.Add(-onTime)); !recent.After(now) && recent.After(from) {
		d.at = recent
	} else {
		d.missed = c.line.count(from, now)
	}
	return d
}

// from is the instant after which the next fire lies.
func (c *calendar) from(now time.Time, d *due) time.Time {
	if !c.handled.After(now.Add(setBack)) {
		c.restart = time.Time{}
		return c.handled
	}
	if c.restart.IsZero() || c.restart.After(now) {
		c.restart, d.back = now, true
	}
	return c.restart
}

// next returns when the line fires next, as the clock is now.
func (c calendar) next(now time.Time) time.Time { return c.line.next(c.from(now, new(due))) }
