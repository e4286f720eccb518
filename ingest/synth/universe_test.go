package synth

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

func TestCalendarAndItsInverse(t *testing.T) {
	last := day(0)
	for n := 1; n <= 200_000; n++ {
		d := publishedOn(n)
		if d < last || (d-firstWednesday)%7 != 0 {
			t.Fatalf("patent %d is out on %v after %v", n, d.time(), last.time())
		}
		if d > last && last > 0 {
			if got := newestOn(d - 1); got != n-1 {
				t.Fatalf("the day before patent %d the newest is %d", n, got)
			}
		}
		last = d
	}
	for _, c := range []struct {
		n    int
		want string
	}{{1, "19790124"}, {2000, "19931208"}, {2_600_000, "20170823"}, {maxPatents, "20220112"}} {
		if got := string(publishedOn(c.n).append(nil)); got != c.want {
			t.Errorf("patent %d is out on %s, want %s", c.n, got, c.want)
		}
	}
	if got := newestOn(firstWednesday - 1); got != 0 {
		t.Errorf("before the first bulletin there are %d patents", got)
	}
}

// TestPlacesAreDistinct checks that the way from number to theme can be gone back.
func TestPlacesAreDistinct(t *testing.T) {
	for _, seed := range []int64{1, -7} {
		seen := map[lineage]int{}
		for n := 1; n < 1<<13; n++ {
			l := lineageOf(seed, n)
			if other, taken := seen[l]; taken {
				t.Fatalf("patents %d and %d have one place %+v", other, n, l)
			}
			seen[l] = n
			if back := patentAt(seed, l); back != n {
				t.Fatalf("patent %d is at %+v, where patent %d is", n, l, back)
			}
			if l.theme>>l.depth() != 0 || l.seat >= seats {
				t.Fatalf("patent %d is at %+v", n, l)
			}
		}
	}
	for n := 1 << 30; n < 1<<30+100; n++ {
		if back := patentAt(3, lineageOf(3, n)); back != n {
			t.Fatalf("patent %d comes back as %d", n, back)
		}
	}
}

func TestTwinOfAncestorIsAncestorOfTwin(t *testing.T) {
	for n := 1 << 12; n < 1<<12+500; n++ {
		l := lineageOf(1, n)
		for generations := range 8 {
			if l.twin().ancestor(generations) != l.ancestor(generations).twin() {
				t.Fatalf("patent %d, %d generations", n, generations)
			}
		}
		if l.twin().twin() != l || subclasses.at(l.axis()) == subclasses.at(l.twin().axis()) {
			t.Fatalf("patent %d: the twin of %+v is %+v", n, l, l.twin())
		}
	}
}

func TestSubclassesShareTheAxisByPopularity(t *testing.T) {
	counts := map[string]int{}
	for place := uint64(0); place < 1<<axisBits; place += 1 << (axisBits - 16) {
		counts[subclasses.names[subclasses.at(place)]]++
	}
	if len(counts) != len(subclasses.names) {
		t.Errorf("%d of %d subclasses have a place", len(counts), len(subclasses.names))
	}
	if first, last := counts["A61K"], counts["A61L"]; first < 20*last || last == 0 {
		t.Errorf("the most popular subclass has %d places, the least %d", first, last)
	}
}

// TestRelativesShareConcepts compares a patent's concepts with those of its citations and of strangers.
func TestRelativesShareConcepts(t *testing.T) {
	u := testUniverse(2, 8000)
	common := func(a, b []int) int {
		n := 0
		for _, x := range a {
			for _, y := range b {
				if x == y {
					n++
				}
			}
		}
		return n
	}
	var relatives, far, strangers, pairs, farPairs, words int
	for n := 6000; n < 8000; n++ {
		p := u.patent(n)
		own := u.conceptsOf(n)
		strangers += common(own, u.conceptsOf(n/3))
		for _, c := range u.citations(&p, nil) {
			theirs := u.conceptsOf(c.patent.n)
			if c.cross {
				far, farPairs = far+common(own, theirs), farPairs+1
				continue
			}
			relatives, pairs = relatives+common(own, theirs), pairs+1
			x, y := u.voice(&p, own, languageEN), u.voice(&c.patent, theirs, languageEN)
			for _, a := range x.preferred {
				for _, b := range y.preferred {
					if a == b {
						words++
					}
				}
			}
		}
	}
	near, cross, nobody := float64(relatives)/float64(pairs), float64(far)/float64(farPairs), float64(strangers)/2000
	shared := float64(words) / float64(pairs)
	if near < 2.5 || cross < 1.5 || nobody > 0.5 {
		t.Errorf("concepts in common with a citation %.2f, across subclasses %.2f, with a stranger %.2f", near, cross, nobody)
	}
	if shared > near*0.6 {
		t.Errorf("of %.2f concepts in common %.2f have the same word: nothing to learn", near, shared)
	}
	t.Logf("common with citation %.2f (same word %.2f), across %.2f, stranger %.2f", near, shared, cross, nobody)
}

// TestPatentIsAFunctionOfItsNumber makes patents in two orders, and in two collections of different size.
func TestPatentIsAFunctionOfItsNumber(t *testing.T) {
	a, b := author{universe: testUniverse(4, 1000)}, author{universe: testUniverse(4, 900_000)}
	want := map[int]string{}
	for n := 1; n < 300; n++ {
		a.begin(a.patent(n))
		want[n] = string(a.document(a.documents[0], true))
	}
	for n := 299; n > 0; n-- {
		b.begin(b.patent(n))
		if got := string(b.document(b.documents[0], true)); got != want[n] {
			t.Fatalf("patent %d is another", n)
		}
	}
}

// TestSmallBatchHasLaterDocuments looks for grants of older patents in a batch of less than a week: a tenth of the
// 18,000 patents whose applications come out on one day.
func TestSmallBatchHasLaterDocuments(t *testing.T) {
	const first = 3_000_000
	day := publishedOn(first)
	week := newestOn(day) - newestOn(day-1)
	batch := batch{first: first, last: first + week/10}
	if publishedOn(batch.last) != day {
		t.Fatalf("patents %d to %d come out on different days", batch.first, batch.last)
	}
	u := testUniverse(1, batch.last)
	found := 0
	for n := first / 4; n < first; n += 50 {
		p := u.patent(n)
		for _, d := range u.documents(&p, nil)[1:] {
			if batch.contains(d) {
				found++
			}
		}
	}
	if found < 5 {
		t.Errorf("%d later documents among %d older patents", found, first*3/4/50)
	}
}

// TestSeedStandsForTheseBytes hashes the first patents of a seed. When it fails and should, raise generator: folders of
// the older one are then refused instead of completed with other bytes.
func TestSeedStandsForTheseBytes(t *testing.T) {
	a := author{universe: testUniverse(1, 2000)}
	h := sha256.New()
	eachFile(&a, 400, func(_ *patent, _ document, files []file, _ hazard) {
		for _, f := range files {
			fmt.Fprintln(h, f.name, len(f.content))
			h.Write(f.content)
		}
	})
	const want = "generator 1: 2f23d2e5d77af82d90ffa497ef91706139b3dc44d27189d685bce1a11a2c0c80"
	if got := fmt.Sprintf("generator %d: %x", generator, h.Sum(nil)); got != want {
		t.Errorf("seed 1 gives %s, want %s", got, want)
	}
}
