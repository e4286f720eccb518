package schedule

import "time"

// longestPause is the most that is waited before the same patents are tried again.
const longestPause = time.Hour

// patience keeps a run that takes no patents from being repeated at every look at the topic.
type patience struct {
	first time.Duration // the pause after the first run that took none

	taken int64 // records that had been consumed when the latest run began
	pause time.Duration
	until time.Time
}

// tried notes the end of a run that began when taken records had been consumed.
func (p *patience) tried(now time.Time, taken int64) {
	if taken > p.taken {
		p.pause = 0
	}
	p.taken = taken
	p.pause = min(max(2*p.pause, p.first), longestPause)
	p.until = now.Add(p.pause)
}

// over reports whether the patents may be tried: the latest run took some, or its pause is over.
func (p *patience) over(now time.Time, taken int64) bool {
	return taken != p.taken || !now.Before(p.until)
}
