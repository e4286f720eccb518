package bm25

import "dssdnet/schemas"

// Term is a term of a query. No two terms of a query have field and text in common.
type Term struct {
	Field  int     // place in the index's fields
	Text   string  // as the analyzer makes it
	Weight float64 // how often it stands in the query, times the weight of the field; positive
}

// Query is what is searched for.
type Query struct {
	Terms []Term
	Hits  int // at most so many hits are returned; at least 1

	// Exclude are ordinals that are no hits whatever their score, ascending.
	Exclude []uint32
	// Before, if set, leaves out patents that were published on this day or later. Patents of unknown date stay.
	Before *schemas.Date
	// Filter says that only the patents of Favoured are hits. Otherwise their scores are multiplied by Boost, if it
	// is not 0.
	Favoured []uint32 // ordinals, ascending
	Filter   bool
	Boost    float64
}

// Hit is a patent that was found.
type Hit struct {
	Patent uint32 // ordinal
	Score  float64
}

// better is the order of hits: by score, equal scores by patent id.
func (h Hit) better(other Hit) bool {
	return h.Score > other.Score || h.Score == other.Score && h.Patent < other.Patent
}
