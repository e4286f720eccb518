package sampler

import (
	"fmt"
	"strconv"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/schemas/arrowfile"
)

// drawer draws the negatives of one topic by one strategy.
type drawer interface {
	// next draws a negative to stand beside the positive. It is allowed by the topic's exclusion, uniform among all
	// that the strategy may draw, and not taken yet; the caller takes it. ok is false when there is none left.
	next(positive pair) (patent uint32, ok bool)
}

// strategy is a way to draw negatives.
type strategy struct {
	source  origin
	needIPC bool // it compares subclasses
	open    func(*drawing) drawer
}

func strategies() map[string]strategy {
	return map[string]strategy{
		arrowfile.SourceRandom:           {source: fromRandom, open: openRandom},
		arrowfile.SourcePool:             {source: fromPool, open: openPool},
		arrowfile.SourcePoolSameSubclass: {source: fromPoolSameSubclass, needIPC: true, open: openPoolSameSubclass},
		arrowfile.SourceDomainBalanced:   {source: fromDomainBalanced, needIPC: true, open: openDomainBalanced},
	}
}

// drawing is the drawing of all negatives of a topic.
type drawing struct {
	lib     *library
	topic   *topic
	seed    int64
	exclude *exclusion
	window  []uint32 // the pool within the rank window
}

// mix is strategies with shares that add up to 1, in the order they were named.
type mix []portion

// portion is a strategy's share of the negatives.
type portion struct {
	strategy
	name  string
	upTo  uint64 // end of the strategy's part of all 64-bit numbers
	share float64
}

// parseMix reads "random" or "random=0.7", "pool=0.3". Shares are relative to their sum.
func parseMix(list []string) (mix, error) {
	known := strategies()
	var m mix
	total := 0.0
	for _, item := range list {
		name, text, hasShare := strings.Cut(item, "=")
		s, ok := known[name]
		if !ok {
			return nil, fault.New(fault.Usage, "--negatives %q is none of %s", name, strings.Join(sortedKeys(known), ", "))
		}
		part := 1.0
		if hasShare {
			var err error
			if part, err = strconv.ParseFloat(text, 64); err != nil || !(part > 0 && part < 1e9) {
				return nil, fault.New(fault.Usage, "--negatives %s: the share %q is not a positive number", item, text)
			}
		} else if len(list) > 1 {
			return nil, fault.New(fault.Usage, "--negatives %s has no share: of several strategies each needs one, as in random=0.7,pool=0.3", item)
		}
		for _, other := range m {
			if other.name == name {
				return nil, fault.New(fault.Usage, "--negatives names %s twice", name)
			}
		}
		total += part
		m = append(m, portion{strategy: s, name: name, share: part})
	}
	if len(m) == 0 {
		return nil, fault.New(fault.Usage, "--negatives is empty: name a strategy, as in random")
	}
	end := 0.0
	for i := range m {
		m[i].share /= total
		end += m[i].share
		m[i].upTo = uint64(min(end, 1)*(1<<53)) << 11
	}
	m[len(m)-1].upTo = 1<<64 - 1
	return m, nil
}

// at is the strategy of the n-th negative of a topic. Multiples of the golden ratio from a start of the topic's own
// fall evenly into the shares, so even a topic with few negatives gets about its mix, and all topics together do.
func (m mix) at(n int, start uint64) portion {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	point := start + uint64(n)*golden
	for _, s := range m[:len(m)-1] {
		if point < s.upTo {
			return s
		}
	}
	return m[len(m)-1]
}

func (m mix) needsIPC() string {
	for _, s := range m {
		if s.needIPC {
			return s.name
		}
	}
	return ""
}

// isDomainBalanced reports whether domain-balanced is the only strategy.
func (m mix) isDomainBalanced() bool { return len(m) == 1 && m[0].source == fromDomainBalanced }

func (m mix) String() string {
	var parts []string
	for _, s := range m {
		parts = append(parts, fmt.Sprintf("%s=%.4g", s.name, s.share))
	}
	return strings.Join(parts, ",")
}

// drawn are the pairs of a topic: each positive followed by its negatives.
type drawn struct {
	pairs     []pair
	fallbacks int64 // negatives drawn at random because their strategy had none left
	left      leftOut
}

// draw gives every positive its negatives. A strategy that runs dry falls back to random draws; when no patent is left
// at all, the remaining positives, those of the highest ranks, are left out.
func (d *drawing) draw(positives []pair, perPositive int, m mix, rank func(uint32) int32) drawn {
	out := drawn{left: leftOut{}}
	open := map[origin]drawer{}
	drawerOf := func(s strategy) drawer {
		if open[s.source] == nil {
			open[s.source] = s.open(d)
		}
		return open[s.source]
	}
	start := priority(d.seed, forMix, d.topic.id)
	random := strategies()[arrowfile.SourceRandom]
	for i, positive := range positives {
		unit := []pair{positive}
		for j := range perPositive {
			s := m.at(i*perPositive+j, start).strategy
			patent, ok := drawerOf(s).next(positive)
			if !ok && s.source != fromRandom {
				s = random
				patent, ok = drawerOf(s).next(positive)
				out.fallbacks++
			}
			if !ok {
				out.left[leftNoNegative] += int64(len(positives) - i)
				return out
			}
			d.exclude.take(patent)
			unit = append(unit, pair{
				topic: positive.topic, doc: patent, rank: rank(patent), source: s.source,
				domain: d.lib.codes.domainOf(d.topic.codes, d.lib.subclasses(patent)),
			})
		}
		out.pairs = append(out.pairs, unit...)
	}
	return out
}
