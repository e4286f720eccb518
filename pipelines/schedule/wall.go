package schedule

import (
	"slices"
	"time"
)

// wallOf returns what the clock on the wall of a zone shows, as a time in UTC.
func wallOf(t time.Time, zone *time.Location) time.Time {
	_, offset := t.In(zone).Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second).Round(0)
}

// instantsOf returns when the wall clock of a zone shows w: at one instant, or at two in order when the clock is set
// back over w. When it is set forward over w it never does: exists is false, and the one instant is that of the change.
func instantsOf(w time.Time, zone *time.Location) (instants []time.Time, exists bool) {
	near := time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), 0, zone)
	start, end := near.ZoneBounds()
	around := []time.Time{near}
	if !start.IsZero() {
		around = append(around, start.Add(-time.Second))
	}
	if !end.IsZero() {
		around = append(around, end)
	}
	for _, t := range around {
		_, offset := t.Zone()
		at := w.Add(-time.Duration(offset) * time.Second).In(zone)
		if wallOf(at, zone).Equal(w) && !slices.ContainsFunc(instants, at.Equal) {
			instants = append(instants, at)
		}
	}
	if len(instants) > 0 {
		slices.SortFunc(instants, time.Time.Compare)
		return instants, true
	}
	// time.Date has used the offset of one side of the gap and so landed on the other.
	if wallOf(near, zone).After(w) {
		return []time.Time{start}, false
	}
	return []time.Time{end}, false
}
