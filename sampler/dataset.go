package sampler

import (
	"cmp"
	"slices"
)

// dataset is the pairs of train or valid. A unit is a positive followed by its negatives; units are never cut, so
// every whole number of units is balanced and holds both labels.
type dataset struct {
	unitRows int
	pairs    []pair
	order    []uint32 // units in the order of the files
}

// newDataset shuffles the units by a hash of topic and positive.
func newDataset(byTopic [][]pair, unitRows int, topics []topic, lib *library, seed int64) *dataset {
	d := &dataset{unitRows: unitRows, pairs: slices.Concat(byTopic...)}
	d.order = make([]uint32, d.units())
	places := make([]uint64, d.units())
	for unit := range d.order {
		positive := d.pairs[unit*unitRows]
		d.order[unit] = uint32(unit)
		places[unit] = priority(seed, forShuffle, topics[positive.topic].id, lib.id(positive.doc))
	}
	slices.SortFunc(d.order, func(a, b uint32) int { return cmp.Or(cmp.Compare(places[a], places[b]), cmp.Compare(a, b)) })
	return d
}

func (d *dataset) units() int { return len(d.pairs) / d.unitRows }

// unit is the positive and its negatives at a place in the order of the files.
func (d *dataset) unit(place int) []pair {
	start := int(d.order[place]) * d.unitRows
	return d.pairs[start : start+d.unitRows]
}

// span is a range of units or topics, end exclusive.
type span struct{ from, to int }

// batches cuts the units into record batches of at most rows rows.
func (d *dataset) batches(rows int) []span {
	return cut(d.units(), func(from, to int) bool { return (to-from+1)*d.unitRows > rows })
}

// shards puts consecutive record batches into files: a file ends with the batch in which it reaches most bytes.
func shards(batches []span, most int64, size func(span) int64) []span {
	var filled int64
	return cut(len(batches), func(_, to int) bool {
		full := filled >= most
		if full {
			filled = 0
		}
		filled += size(batches[to])
		return full
	})
}

// cut divides 0 to n-1 into spans. full says of the span from..to-1 that item to begins the next; it is called once for
// every item, and not for the first of a span with an empty one.
func cut(n int, full func(from, to int) bool) []span {
	var spans []span
	from := 0
	for to := range n {
		if full(from, to) && to > from {
			spans = append(spans, span{from, to})
			from = to
		}
	}
	if from < n {
		spans = append(spans, span{from, n})
	}
	return spans
}
