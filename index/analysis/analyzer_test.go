package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSequence(t *testing.T) {
	const text = "The golfer's aids (n-type), 3.5 mm: FLÜSSIG it’s 5,123,456 U.S. don't rotating rotated ß_9 — " +
		"αβ-Ω 日本 x"
	tests := map[string]string{
		Porter2:       "golfer aid n type 3.5 mm flüssig 5,123,456 u. rotat rotat ß_9 αβ ω 日 本 x",
		Porter2NoNums: "golfer aid n type mm flüssig u. rotat rotat ß_9 αβ ω 日 本 x",
		Words:         "golfer aids n type 3.5 mm flüssig 5,123,456 u.s rotating rotated ß_9 αβ ω 日 本 x",
		WordsNoNums:   "golfer aids n type mm flüssig u.s rotating rotated ß_9 αβ ω 日 本 x",
	}
	for name, want := range tests {
		if diff := cmp.Diff(strings.Fields(want), analyzer(t, name).Sequence(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestBagCountsOverAllTexts(t *testing.T) {
	a := analyzer(t, Porter2)
	bag, length := a.Bag("Pumps and valves", "a pump; pumping the valve")
	want := []Term{{"pump", 3}, {"valv", 2}}
	if diff := cmp.Diff(want, bag); diff != "" || length != 5 {
		t.Errorf("length %d, bag (-want +got):\n%s", length, diff)
	}
	if bag, length := a.Bag("", "the of and", "!!"); len(bag) != 0 || length != 0 {
		t.Errorf("stop words alone gave %v, length %d", bag, length)
	}
}

func TestLongWordsAreLeftOut(t *testing.T) {
	got := analyzer(t, Porter2).Sequence("acid " + strings.Repeat("gattaca", 40) + " acid")
	if !slices.Equal(got, []string{"acid", "acid"}) {
		t.Errorf("got %v", got)
	}
}

func TestForgettingWordsChangesNothing(t *testing.T) {
	a := analyzer(t, Porter2)
	first, _ := a.Bag("rotating valves rotate")
	want := slices.Clone(first)
	var b strings.Builder
	for i := range maxKnownWords + 2 {
		b.WriteString(" w")
		for n := i; n > 0; n /= 26 {
			b.WriteByte(byte('a' + n%26))
		}
	}
	a.Bag(b.String())
	again, _ := a.Bag("rotating valves rotate")
	if !slices.Equal(want, again) {
		t.Errorf("got %v, want %v", again, want)
	}
	if len(a.known) > 10 {
		t.Errorf("the table of %d words was not emptied", len(a.known))
	}
}

func TestBagAgreesWithSequence(t *testing.T) {
	a, b := analyzer(t, Porter2), analyzer(t, Porter2)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		want := make(map[string]uint32)
		sequence := b.Sequence(text)
		for _, term := range sequence {
			want[term]++
		}
		bag, length := a.Bag(text)
		got := make(map[string]uint32)
		for _, term := range bag {
			got[term.Text] += term.Count
		}
		if !maps.Equal(want, got) || len(got) != len(bag) || length != len(sequence) {
			t.Fatalf("bag %v of length %d, sequence %v", bag, length, sequence)
		}
	})
}

func TestUnknownName(t *testing.T) {
	_, err := New("en-porter2/2")
	if err == nil || !strings.Contains(err.Error(), Porter2) {
		t.Errorf("the error %v does not name the analyzers there are", err)
	}
}

func BenchmarkBag(b *testing.B) {
	a := analyzer(b, Porter2)
	text := strings.Repeat("A self-diagnostic apparatus for an electrical storage system, comprising 2.5 mm rods ", 10)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		a.Bag(text)
	}
}

func analyzer(t testing.TB, name string) *Analyzer {
	t.Helper()
	a, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
