package sampler

import "fmt"

// leftOut counts golds in the pool that make no pair, by reason.
type leftOut map[string]int64

// The reasons, as they stand in the manifest.
const (
	leftBroken        = "topic_with_too_many_golds"
	leftNoQueryText   = "topic_without_english_text"
	leftRelative      = "gold_of_the_topics_family"
	leftNoText        = "gold_without_english_text"
	leftUnknownDomain = "domain_unknown"            // domain-balanced
	leftThinned       = "domain_balanced"           // domain-balanced
	leftNoNegative    = "not_enough_negatives_left" // the library has too few patents that may be drawn
)

// positives returns the golds in the pool of a topic as pairs, in pool order, and counts those that make none. Golds
// outside the pool make no pair.
func positives(number int, t *topic, ranked []uint32, lib *library, maxGolds int) ([]pair, leftOut) {
	var pairs []pair
	left := leftOut{}
	x := newExclusion(lib, t, false)
	for i, patent := range ranked {
		if !t.isGold(patent) {
			continue
		}
		switch {
		case maxGolds > 0 && t.goldCount() > maxGolds:
			left[leftBroken]++
		case !t.hasText:
			left[leftNoQueryText]++
		case x.isRelative(patent):
			left[leftRelative]++
		case !lib.text[patent]:
			left[leftNoText]++
		default:
			pairs = append(pairs, pair{
				topic: uint32(number), doc: patent, rank: int32(i) + 1, source: fromGold, gold: true,
				domain: lib.codes.domainOf(t.codes, lib.subclasses(patent)),
			})
		}
	}
	return pairs, left
}

func (l leftOut) String() string { return fmt.Sprint(map[string]int64(l)) }

func (l leftOut) total() int64 {
	var n int64
	for _, v := range l {
		n += v
	}
	return n
}
