package sampler

import (
	"fmt"
	"testing"
)

func TestPoolDrawsFromItsWindow(t *testing.T) {
	lib := libraryOfSize(t, 40, nil)
	window := lib.english[10:20]
	counts := make([]int, 10)
	const topics = 9000
	for n := range topics {
		topic := topicOf(t, lib, topicRow{TopicID: fmt.Sprint("T", n)})
		topic.golds = []uint32{window[n%10]}
		d := openPool(drawingOf(lib, topic, window))
		for range 3 {
			patent, ok := d.next(pair{})
			if !ok || topic.isGold(patent) || patent < 10 || patent >= 20 {
				t.Fatalf("drew patent %d, %v", patent, ok)
			}
			counts[patent-10]++
		}
	}
	if x := chiSquare(counts, topics*3/10); x > 27.9 {
		t.Errorf("chi-square of %v is %.1f; 9 degrees of freedom pass 27.9 once in a thousand", counts, x)
	}
}

// TestPoolDrawsStay adds candidates to a pool: whoever was drawn still is, unless a newcomer comes first.
func TestPoolDrawsStay(t *testing.T) {
	lib := libraryOfSize(t, 100, nil)
	topic := topicOf(t, lib, topicRow{TopicID: "T"})
	few, many := newPoolDrawer(drawingOf(lib, topic, lib.english[:50]), "pool", nil), newPoolDrawer(drawingOf(lib, topic, lib.english), "pool", nil)
	var kept []uint32
	for _, patent := range many.queue {
		if patent < 50 {
			kept = append(kept, patent)
		}
	}
	if fmt.Sprint(kept) != fmt.Sprint(few.queue) {
		t.Errorf("50 candidates are drawn as %v, among others as %v", few.queue, kept)
	}
}

func TestPoolSameSubclass(t *testing.T) {
	lib := libraryOf(t, "EP-1 A61K", "EP-2 A61P", "EP-3 H04L A61K", "EP-4", "EP-5 A61K", "EP-6 A61K -text")
	topic := topicOf(t, lib, topicRow{TopicID: "T", IPCSubclasses: []string{"A61K"}}, "EP-5")
	d := openPoolSameSubclass(drawingOf(lib, topic, ordinals(t, lib, "EP-6 EP-5 EP-4 EP-3 EP-2 EP-1")))
	seen := map[string]bool{}
	for {
		patent, ok := d.next(pair{})
		if !ok {
			break
		}
		seen[lib.id(patent)] = true
	}
	if len(seen) != 2 || !seen["EP-1"] || !seen["EP-3"] {
		t.Errorf("drew %v, want EP-1 and EP-3", seen)
	}
}
