package synth

import (
	"math/bits"
	"time"
)

// day counts from 1970-01-01.
type day int32

const (
	// firstWednesday is 1978-12-20, the day of the European Patent Office's first bulletin. Bulletins appear on
	// Wednesdays.
	firstWednesday day = 3275
	// The number of patents doubles every doublingDays. Growth by a constant factor keeps the same share of a
	// collection before the priority date of its newest patents, whatever its size; and the date of a patent then
	// does not depend on how many patents come after it.
	doublingDays = 832
	// firstPatents appear in the first doublingDays.
	firstPatents = 20
)

// maxPatents is what seven digits can number.
const maxPatents = 9_999_999

// publishedOn returns the day patent n's application is published, a Wednesday. It never falls as n grows.
func publishedOn(n int) day {
	doublings := bits.Len(uint(n/firstPatents+1)) - 1
	before := firstPatents * (1<<doublings - 1)
	days := doublingDays*doublings + doublingDays*(n-before)/(firstPatents<<doublings)
	return wednesday(firstWednesday + day(days))
}

// newestOn returns the newest patent whose application is out on day d: the inverse of [publishedOn]. It is 0
// before the first.
func newestOn(d day) int {
	if d < firstWednesday {
		return 0
	}
	days := int(d-firstWednesday)/7*7 + 6 // all of the week of d's bulletin
	doublings := days / doublingDays
	before := firstPatents * (1<<doublings - 1)
	return before + ((days%doublingDays+1)*(firstPatents<<doublings)-1)/doublingDays
}

// wednesday returns the last Wednesday that is not after d.
func wednesday(d day) day { return d - (d-firstWednesday)%7 }

func (d day) time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// append writes d as YYYYMMDD.
func (d day) append(b []byte) []byte { return d.time().AppendFormat(b, "20060102") }
