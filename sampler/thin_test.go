package sampler

import (
	"fmt"
	"testing"
)

func TestThin(t *testing.T) {
	lib := libraryOfSize(t, 60, nil)
	topics := []topic{
		*topicOf(t, lib, topicRow{TopicID: "A"}), *topicOf(t, lib, topicRow{TopicID: "B"}), *topicOf(t, lib, topicRow{TopicID: "C", Split: "valid"}),
	}
	topics[2].side = valid
	fill := func() [][]pair {
		byTopic := make([][]pair, len(topics))
		for i := range 60 {
			n := i % 3
			p := pair{topic: uint32(n), doc: uint32(i), gold: true, domain: domainKnown}
			switch {
			case i%10 < 6:
				p.domain |= sameSubclass
			case i%10 == 9:
				p.domain = 0
			}
			byTopic[n] = append(byTopic[n], p)
		}
		return byTopic
	}
	byTopic := fill()
	left := thin(train, byTopic, topics, lib, 1)
	count := map[domain]int{}
	for _, pairs := range byTopic[:2] {
		for i, p := range pairs {
			count[p.domain]++
			if i > 0 && pairs[i-1].doc > p.doc {
				t.Errorf("pool order is lost: %v", pairs)
			}
		}
	}
	same, other := count[domainKnown|sameSubclass], count[domainKnown]
	if same == 0 || same != other || count[0] != 0 {
		t.Errorf("kept %d with t = 1, %d with t = 0, %d unknown", same, other, count[0])
	}
	if int64(same+other) != 40-left.total() || left[leftUnknownDomain] != 4 {
		t.Errorf("kept %d of 40, left out %v", same+other, left)
	}
	if len(byTopic[2]) != 20 {
		t.Errorf("the topic of the other side has %d of 20 positives", len(byTopic[2]))
	}
	again := fill()
	thin(train, again, topics, lib, 1)
	if fmt.Sprint(again) != fmt.Sprint(byTopic) {
		t.Error("thinned twice, two results")
	}
	other2 := fill()
	thin(train, other2, topics, lib, 2)
	if fmt.Sprint(other2) == fmt.Sprint(byTopic) {
		t.Error("two seeds keep the same positives")
	}
}
