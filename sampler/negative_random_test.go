package sampler

import (
	"fmt"
	"slices"
	"testing"
)

// libraryOfSize has n patents, all of subclass A61K when classified.
func libraryOfSize(t *testing.T, n int, classified func(int) string) *library {
	t.Helper()
	var all columns
	numbers := newCodes()
	for i := range n {
		row := patentRow{PatentID: fmt.Sprintf("EP-%07d", i), TextLang: "en"}
		if classified != nil {
			row.IPCSubclasses = []string{classified(i)}
		}
		if err := all.addRow(&row, numbers); err != nil {
			t.Fatal(err)
		}
	}
	return newLibrary(all, numbers)
}

// TestRandomIsUniform draws 20 negatives for each of 5,000 topics, which have a gold each, from 500 patents, by both
// ways of drawing, and counts how often each patent was drawn.
func TestRandomIsUniform(t *testing.T) {
	const patents, topics, each = 500, 5000, 20
	lib := libraryOfSize(t, patents, nil)
	for _, listed := range []bool{false, true} {
		counts := make([]int, patents)
		for n := range topics {
			topic := topicOf(t, lib, topicRow{TopicID: fmt.Sprint("T", n)})
			topic.golds = []uint32{uint32(n % patents)}
			d := openRandom(drawingOf(lib, topic, nil)).(*randomDrawer)
			if listed {
				d.listed = true
				for _, patent := range d.from {
					if d.allows(patent) {
						d.rest = append(d.rest, patent)
					}
				}
			}
			for range each {
				patent, ok := d.next(pair{})
				if !ok || topic.isGold(patent) || d.exclude.taken[patent] {
					t.Fatalf("topic %d drew patent %d twice, or its gold", n, patent)
				}
				d.exclude.take(patent)
				counts[patent]++
			}
		}
		// Draws without replacement vary less than the multinomial, so the statistic stays below chi-square.
		if x := chiSquare(counts, topics*each/patents); x > 603 {
			t.Errorf("listed %v: chi-square is %.0f; 499 degrees of freedom pass 603 once in a thousand", listed, x)
		}
	}
}

// TestRandomPairsAreUniform counts which two patents of five are drawn together.
func TestRandomPairsAreUniform(t *testing.T) {
	lib := libraryOfSize(t, 5, nil)
	counts := map[[2]uint32]int{}
	const topics = 10000
	for n := range topics {
		topic := topicOf(t, lib, topicRow{TopicID: fmt.Sprint("T", n)})
		d := openRandom(drawingOf(lib, topic, nil)).(*randomDrawer)
		first, _ := d.next(pair{})
		d.exclude.take(first)
		second, _ := d.next(pair{})
		counts[[2]uint32{first, second}]++
	}
	var list []int
	for _, n := range counts {
		list = append(list, n)
	}
	if x := chiSquare(list, topics/20); len(list) != 20 || x > 43.8 {
		t.Errorf("%d pairs with chi-square %.1f; 19 degrees of freedom pass 43.8 once in a thousand", len(list), x)
	}
}

// TestRandomEmptiesTheLibrary draws until there is nothing left: every allowed patent once.
func TestRandomEmptiesTheLibrary(t *testing.T) {
	lib := libraryOfSize(t, 300, nil)
	topic := topicOf(t, lib, topicRow{TopicID: "T"}, "EP-0000007")
	d := openRandom(drawingOf(lib, topic, nil)).(*randomDrawer)
	var drawn []uint32
	for {
		patent, ok := d.next(pair{})
		if !ok {
			break
		}
		d.exclude.take(patent)
		drawn = append(drawn, patent)
	}
	slices.Sort(drawn)
	if len(slices.Compact(drawn)) != 299 || slices.Contains(drawn, 7) {
		t.Errorf("%d patents drawn of 299", len(drawn))
	}
	if _, ok := openRandom(drawingOf(libraryOf(t), topic, nil)).next(pair{}); ok {
		t.Error("drew from an empty library")
	}
}

// TestRandomIgnoresTheOrderOfTheLibrary reads the same patents in another order.
func TestRandomIgnoresTheOrderOfTheLibrary(t *testing.T) {
	var drawn [2]string
	for i, patents := range [][]string{{"EP-1", "EP-2", "EP-3", "EP-4", "EP-5", "EP-6"}, {"EP-6", "EP-3", "EP-1", "EP-5", "EP-4", "EP-2"}} {
		var parts []columns
		numbers := newCodes()
		for _, id := range patents {
			var part columns
			if err := part.addRow(&patentRow{PatentID: id, TextLang: "en"}, numbers); err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		all, err := joinColumns(parts, &source{files: make([]sourceFile, len(parts))})
		if err != nil {
			t.Fatal(err)
		}
		lib := newLibrary(all, numbers)
		topic := topicOf(t, lib, topicRow{TopicID: "T"})
		d := openRandom(drawingOf(lib, topic, nil)).(*randomDrawer)
		for range 6 {
			patent, _ := d.next(pair{})
			d.exclude.take(patent)
			drawn[i] += lib.id(patent) + " "
		}
	}
	if drawn[0] != drawn[1] {
		t.Errorf("drawn %s and %s", drawn[0], drawn[1])
	}
}
