package sampler

import (
	"testing"

	"dssdnet/schemas"
)

func TestExclusion(t *testing.T) {
	lib := libraryOf(t,
		"EP-1 family=10 @1999-01-01", "EP-2 family=20 @1999-01-01", "EP-3 family=20 @1999-01-01", "EP-4 @1999-12-31", "EP-5 @2000-01-01",
		"EP-6", "EP-7 @1999-01-01 -text", "EP-8 family=80 @1999-01-01", "EP-9 @1999-01-01",
	)
	row := topicRow{TopicID: "T", PatentID: "EP-2", FamilyID: "80", EarliestPriorityDate: schemas.ParseDate("20000101")}
	for _, test := range []struct {
		patent     string
		any, prior bool
		about      string
	}{
		{"EP-1", false, false, "a gold"},
		{"EP-2", false, false, "the topic's own patent"},
		{"EP-3", false, false, "of the family that the library gives the topic"},
		{"EP-4", true, true, "published the day before"},
		{"EP-5", true, false, "published on the priority date"},
		{"EP-6", true, false, "published on no known day"},
		{"EP-7", false, false, "without English text"},
		{"EP-8", false, false, "of the family that the topic says"},
		{"EP-9", true, true, "another patent"},
	} {
		topic := topicOf(t, lib, row, "EP-1")
		patent := at(t, lib, test.patent)
		if got := newExclusion(lib, topic, false).allows(patent); got != test.any {
			t.Errorf("%s: allowed %v, want %v", test.about, got, test.any)
		}
		x := newExclusion(lib, topic, true)
		if got := x.allows(patent); got != test.prior {
			t.Errorf("%s, prior only: allowed %v, want %v", test.about, got, test.prior)
		}
		if x.take(patent); x.allows(patent) {
			t.Errorf("%s: allowed twice", test.about)
		}
	}
}

// TestPriorityDateFallsBack uses the filing date, then the publication date, of a topic without the better one.
func TestPriorityDateFallsBack(t *testing.T) {
	lib := libraryOf(t)
	early, late := schemas.ParseDate("19990101"), schemas.ParseDate("20000101")
	for want, row := range map[schemas.Date]topicRow{
		*early: {ApplicationDate: early, PublicationDate: late},
		*late:  {PublicationDate: late},
		noDate: {},
	} {
		if got := topicOf(t, lib, row).before; got != want {
			t.Errorf("%+v: prior art is before %s, want %s", row, got, want)
		}
	}
}
