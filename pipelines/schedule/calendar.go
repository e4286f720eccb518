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

	sought, found time.Time // the fire after sought, to find it once
}

// due is what a look at the clock finds.
type due struct {
	at     time.Time // of the first fire since the last look; zero when there is none
	missed int       // how many there are if nobody was there at the time of the latest, up to missedLimit; else 0
	back   bool      // the clock has been set back since the last look, by more than setBack
	next   time.Time // when the line fires next, as the clock is now; zero when it never does
}

// look returns the fires up to now and counts them as dealt with.
func (c *calendar) look(now time.Time) (d due) {
	from, back := c.from(now)
	d.back, d.next = back, c.after(from)
	if d.next.IsZero() || d.next.After(now) {
		return d
	}
	d.at = d.next
	since := now.Add(-onTime)
	if from.After(since) {
		since = from
	}
	if punctual := c.line.next(since); !punctual.IsZero() && !punctual.After(now) {
		d.at = punctual
	} else {
		d.missed = c.line.count(from, now)
	}
	c.handled, c.restart = now, time.Time{}
	d.next = c.after(now)
	return d
}

// from is the instant after which the next fire lies, and whether the clock has just been set back.
func (c *calendar) from(now time.Time) (from time.Time, back bool) {
	if !c.handled.After(now.Add(setBack)) {
		c.restart = time.Time{}
		return c.handled, false
	}
	if c.restart.IsZero() || c.restart.After(now) {
		c.restart, back = now, true
	}
	return c.restart, back
}

func (c *calendar) after(from time.Time) time.Time {
	if c.sought.IsZero() || !c.sought.Equal(from) {
		c.sought, c.found = from, c.line.next(from)
	}
	return c.found
}
