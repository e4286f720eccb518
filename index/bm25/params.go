package bm25

import "math"

// Params are the free parameters of the formula.
type Params struct {
	K1 float64 // how late the frequency of a term saturates; 0 or more
	B  float64 // how much the length of a patent counts; 0 to 1
}

// DefaultParams are those of the paper and of most of the literature.
func DefaultParams() Params { return Params{K1: 1.2, B: 0.75} }

// IDF is the inverse document frequency of a term in df of n documents. It is positive.
func IDF(n, df int64) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// saturation is the part of a score that depends on the patent, for one field.
type saturation struct {
	k1Plus1   float64
	constant  float64 // k1 * (1 - b)
	perLength float64 // k1 * b / average
	// table has the values of small frequencies in short patents, nearly all of them, at [frequency, length].
	table [tableFreqs * tableLengths]float64
}

const (
	tableFreqs   = 16
	tableLengths = 512
)

func newSaturation(p Params, average float64) *saturation {
	s := &saturation{k1Plus1: p.K1 + 1, constant: p.K1 * (1 - p.B)}
	if average > 0 {
		s.perLength = p.K1 * p.B / average
	}
	for freq := range uint32(tableFreqs) {
		for length := range uint32(tableLengths) {
			if freq > 0 {
				s.table[freq*tableLengths+length] = s.compute(freq, length)
			}
		}
	}
	return s
}

// of is f * (k1 + 1) / (f + K) for a frequency from 1 on.
func (s *saturation) of(freq, length uint32) float64 {
	if freq < tableFreqs && length < tableLengths {
		return s.table[freq*tableLengths+length]
	}
	return s.compute(freq, length)
}

func (s *saturation) compute(freq, length uint32) float64 {
	f := float64(freq)
	return f * s.k1Plus1 / (f + (s.constant + s.perLength*float64(length)))
}
