package sampler

import (
	"fmt"
	"testing"
)

func TestDomainBalancedFollowsThePositive(t *testing.T) {
	lib := libraryOf(t, "EP-1 A61K", "EP-2 A61P", "EP-3 A61K H04L", "EP-4", "EP-5 A61K", "EP-6 B01J", "EP-7 A61K -text")
	topic := topicOf(t, lib, topicRow{TopicID: "T", IPCSubclasses: []string{"A61K"}}, "EP-5")
	draws := func(positive domain) map[string]bool {
		d := openDomainBalanced(drawingOf(lib, topic, nil))
		seen := map[string]bool{}
		for {
			patent, ok := d.next(pair{domain: positive})
			if !ok {
				return seen
			}
			d.(*domainDrawer).same.exclude.take(patent)
			seen[lib.id(patent)] = true
		}
	}
	for want, positive := range map[string]domain{
		"map[EP-1:true EP-3:true]": domainKnown | sameSubclass,
		"map[EP-2:true EP-6:true]": domainKnown, // EP-4 has no domain at all
		"map[]":                    0,
	} {
		if got := fmt.Sprint(draws(positive)); got != want {
			t.Errorf("beside a positive with %s it draws %s, want %s", positive, got, want)
		}
	}
}

// TestDomainBalancedIsUniform counts the negatives of each t over many topics of one domain.
func TestDomainBalancedIsUniform(t *testing.T) {
	lib := libraryOfSize(t, 100, func(i int) string { return []string{"A61K", "A61P", "H04L", "B01J", "C07D"}[i%5] })
	counts := map[bool][]int{}
	const topics = 8000
	for n := range topics {
		topic := topicOf(t, lib, topicRow{TopicID: fmt.Sprint("T", n), IPCSubclasses: []string{"A61K"}})
		d := openDomainBalanced(drawingOf(lib, topic, nil))
		for _, same := range []bool{true, false} {
			positive := pair{domain: domainKnown}
			if same {
				positive.domain |= sameSubclass
			}
			patent, ok := d.next(positive)
			if !ok || (patent%5 == 0) != same {
				t.Fatalf("drew patent %d for t = 1 %v", patent, same)
			}
			if counts[same] == nil {
				counts[same] = make([]int, 100)
			}
			counts[same][patent]++
		}
	}
	for same, of := range counts {
		var list []int
		for i, n := range of {
			if (i%5 == 0) == same {
				list = append(list, n)
			}
		}
		limit := map[int]float64{20: 43.8, 80: 123.6}[len(list)] // 0.999 quantiles for 19 and 79 degrees of freedom
		if x := chiSquare(list, float64(topics)/float64(len(list))); x > limit {
			t.Errorf("t = 1 %v: chi-square over %d patents is %.1f, limit %.1f", same, len(list), x, limit)
		}
	}
}
