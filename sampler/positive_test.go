package sampler

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPositives(t *testing.T) {
	lib := libraryOf(t, "EP-1 A61K", "EP-2 A61P", "EP-3 -text", "EP-4 family=9", "EP-5", "EP-6 A61K")
	for _, test := range []struct {
		about    string
		row      topicRow
		maxGolds int
		want     string
		left     leftOut
	}{
		{"in pool order, golds outside the pool make none", topicRow{}, 300, "EP-2*3 EP-1*5", leftOut{leftNoText: 1}},
		{"a relative", topicRow{FamilyID: "9"}, 300, "EP-2*3 EP-1*5", leftOut{leftNoText: 1}},
		{"as many golds as allowed", topicRow{}, 4, "EP-2*3 EP-1*5", leftOut{leftNoText: 1}},
		{"more golds than allowed", topicRow{}, 3, "", leftOut{leftBroken: 3}},
		{"no limit", topicRow{}, 0, "EP-2*3 EP-1*5", leftOut{leftNoText: 1}},
	} {
		topic := topicOf(t, lib, test.row, "EP-1", "EP-2", "EP-3")
		topic.unreachable = 1
		pairs, left := positives(0, topic, ordinals(t, lib, "EP-4 EP-3 EP-2 EP-6 EP-1"), lib, test.maxGolds)
		got := ""
		for i, p := range pairs {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%s%d", names(lib, pairs[i:i+1]), p.rank)
		}
		if got != test.want {
			t.Errorf("%s: positives are %q, want %q", test.about, got, test.want)
		}
		if diff := cmp.Diff(test.left, left); diff != "" {
			t.Errorf("%s: left out (- want, + got):\n%s", test.about, diff)
		}
	}
}

func TestPositivesOfARelative(t *testing.T) {
	lib := libraryOf(t, "EP-1 family=9", "EP-2")
	topic := topicOf(t, lib, topicRow{FamilyID: "9"}, "EP-1", "EP-2")
	pairs, left := positives(0, topic, ordinals(t, lib, "EP-1 EP-2"), lib, 300)
	if got := names(lib, pairs); got != "EP-2*" || left[leftRelative] != 1 {
		t.Errorf("positives are %s, left out %v", got, left)
	}
	topic.hasText = false
	if pairs, left := positives(0, topic, ordinals(t, lib, "EP-1 EP-2"), lib, 300); len(pairs) != 0 || left[leftNoQueryText] != 2 {
		t.Errorf("positives of a topic without text are %s, left out %v", names(lib, pairs), left)
	}
}
