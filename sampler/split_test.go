package sampler

import (
	"fmt"
	"testing"
)

func TestRelativesStayTogether(t *testing.T) {
	lib := libraryOf(t, "EP-1 family=10", "EP-2 family=10", "EP-3 family=30", "EP-4", "EP-5 family=50", "EP-6")
	for _, test := range []struct {
		about  string
		topics []topicRow
		want   []side // valid-share is 0
	}{
		{"unrelated", []topicRow{{PatentID: "EP-3", Split: "train"}, {PatentID: "EP-5", Split: "test"}}, []side{train, test}},
		{"one family", []topicRow{{PatentID: "EP-1", Split: "train"}, {PatentID: "EP-2", Split: "test"}}, []side{straddling, test}},
		{"one family by the topics alone", []topicRow{{PatentID: "EP-91", FamilyID: "7", Split: "train"}, {PatentID: "EP-92", FamilyID: "7", Split: "valid"}}, []side{straddling, valid}},
		{"one patent", []topicRow{{PatentID: "EP-4", Split: "valid"}, {PatentID: "EP-4", Split: "test"}}, []side{straddling, test}},
		{"related over a third", []topicRow{
			{PatentID: "EP-1", FamilyID: "99", Split: "test"}, {PatentID: "EP-6", FamilyID: "99", Split: "train"}, {PatentID: "EP-2", Split: "train"},
		}, []side{test, straddling, straddling}},
		{"absent families are no family", []topicRow{{PatentID: "EP-4", Split: "train"}, {PatentID: "EP-6", Split: "test"}}, []side{train, test}},
		{"all three sides", []topicRow{
			{PatentID: "EP-1", Split: "train"}, {PatentID: "EP-2", Split: "valid"}, {PatentID: "EP-1", Split: "test"}, {PatentID: "EP-3", Split: "valid"},
		}, []side{straddling, straddling, test, valid}},
	} {
		var topics []topic
		for i, row := range test.topics {
			row.TopicID = fmt.Sprint(i)
			topics = append(topics, *topicOf(t, lib, row))
		}
		assignSides(topics, lib, 1, 0)
		for i, want := range test.want {
			if topics[i].side != want {
				t.Errorf("%s: topic %d is in %s, want %s", test.about, i, topics[i].side, want)
			}
		}
	}
}

// TestSplitIsByFamily draws many families of two topics for validation.
func TestSplitIsByFamily(t *testing.T) {
	lib := libraryOf(t)
	var topics []topic
	for i := range 4000 {
		topics = append(topics, *topicOf(t, lib, topicRow{TopicID: fmt.Sprint(i), PatentID: fmt.Sprintf("EP-%d", i), FamilyID: fmt.Sprint(i / 2)}))
	}
	assignSides(topics, lib, 1, 0.25)
	drawn := 0
	for i := 0; i < len(topics); i += 2 {
		if topics[i].side != topics[i+1].side {
			t.Fatalf("family %d is on two sides", i/2)
		}
		if topics[i].side == valid {
			drawn++
		}
	}
	if drawn < 436 || drawn > 564 { // 500 and 3.3 standard deviations
		t.Errorf("%d of 2000 families are in valid, want about 500", drawn)
	}

	// A topic's side is its own affair: half of the topics, alone, are where they were.
	var half []topic
	for i := 0; i < len(topics); i += 2 {
		half = append(half, topics[i])
	}
	assignSides(half, lib, 1, 0.25)
	for i := range half {
		if half[i].side != topics[2*i].side {
			t.Errorf("topic %s is in %s, and in %s without the others", half[i].id, topics[2*i].side, half[i].side)
		}
	}
}
