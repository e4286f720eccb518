package sampler

import (
	"fmt"
	"testing"
)

func TestDatasetShufflesUnits(t *testing.T) {
	lib := libraryOfSize(t, 300, nil)
	topics := []topic{*topicOf(t, lib, topicRow{TopicID: "A"}), *topicOf(t, lib, topicRow{TopicID: "B"})}
	byTopic := make([][]pair, 2)
	for i := range 300 {
		byTopic[i/150] = append(byTopic[i/150], pair{topic: uint32(i / 150), doc: uint32(i), gold: i%3 == 0})
	}
	d := newDataset(byTopic, 3, topics, lib, 1)
	seen := map[uint32]int{}
	moved := 0
	for place := range d.units() {
		unit := d.unit(place)
		if !unit[0].gold || unit[1].gold || unit[1].doc != unit[0].doc+1 || unit[2].doc != unit[0].doc+2 {
			t.Fatalf("unit %d is %v", place, unit)
		}
		seen[unit[0].doc]++
		if int(unit[0].doc) != 3*place {
			moved++
		}
	}
	if len(seen) != 100 || moved < 90 {
		t.Errorf("%d units of 100, %d not where they were", len(seen), moved)
	}

	// The order of two units does not depend on the others.
	alone := newDataset(byTopic[1:], 3, topics, lib, 1)
	place := map[uint32]int{}
	for i := range d.units() {
		place[d.unit(i)[0].doc] = i
	}
	for i := 1; i < alone.units(); i++ {
		if a, b := alone.unit(i - 1)[0].doc, alone.unit(i)[0].doc; place[a] > place[b] {
			t.Errorf("%d comes before %d alone, and after it among others", a, b)
		}
	}
}

func TestCutting(t *testing.T) {
	units := func(n, rows int) *dataset {
		return &dataset{unitRows: rows, pairs: make([]pair, n*rows), order: make([]uint32, n)}
	}
	for _, test := range []struct {
		d    *dataset
		rows int
		want string
	}{
		{units(5, 2), 4, "[{0 2} {2 4} {4 5}]"},
		{units(5, 2), 5, "[{0 2} {2 4} {4 5}]"},
		{units(5, 2), 100, "[{0 5}]"},
		{units(2, 4), 3, "[{0 1} {1 2}]"}, // a unit is never cut
		{units(0, 2), 4, "[]"},
	} {
		if got := fmt.Sprint(test.d.batches(test.rows)); got != test.want {
			t.Errorf("%d units of %d in batches of %d: %s, want %s", test.d.units(), test.d.unitRows, test.rows, got, test.want)
		}
	}
	batches := []span{{0, 3}, {3, 4}, {4, 9}, {9, 10}}
	size := func(s span) int64 { return int64(s.to - s.from) }
	for most, want := range map[int64]string{1: "[{0 1} {1 2} {2 3} {3 4}]", 4: "[{0 2} {2 3} {3 4}]", 9: "[{0 3} {3 4}]", 99: "[{0 4}]"} {
		if got := fmt.Sprint(shards(batches, most, size)); got != want {
			t.Errorf("shards of %d: %s, want %s", most, got, want)
		}
	}
}
