package index

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"dssdnet/schemas"
)

func TestRecordReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Record
		copy(r.Content[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "content"))
		if rapid.Bool().Draw(t, "dated") {
			day := schemas.Date(rapid.Int32().Draw(t, "day"))
			r.Published = &day
		}
		r.Family = rapid.String().Draw(t, "family")
		r.Subclasses = rapid.SliceOf(rapid.String()).Draw(t, "subclasses")
		r.Lengths = rapid.SliceOfN(rapid.Uint32(), 1, 3).Draw(t, "lengths")
		stored := r.Append(nil)

		p := &segmentPatents{subclassNumbers: make(map[string]uint32), lengths: make([][]uint32, len(r.Lengths))}
		if err := p.record(stored, true); err != nil {
			t.Fatal(err)
		}
		want := schemas.Date(noDate)
		if r.Published != nil {
			want = *r.Published
		}
		var subclasses []string
		for _, n := range p.subclassOf {
			subclasses = append(subclasses, p.subclasses[n])
		}
		if p.contents[0] != r.Content || p.published[0] != want || p.families[0] != keyOfFamily(r.Family) ||
			!slices.Equal(subclasses, r.Subclasses) || p.lengths[0][0] != r.Lengths[0] {
			t.Fatalf("%+v was read as %+v", r, p)
		}
		cut := rapid.IntRange(0, len(stored)-1).Draw(t, "cut")
		q := &segmentPatents{subclassNumbers: make(map[string]uint32), lengths: make([][]uint32, len(r.Lengths))}
		if err := q.record(stored[:cut], false); err == nil {
			t.Fatalf("%d of %d bytes were read without error", cut, len(stored))
		}
	})
}

func TestFamilyKeysDiffer(t *testing.T) {
	seen := make(map[familyKey]string)
	for _, id := range []string{"0", "00", "1", "01", "+1", "-1", "162754223", "F1", "f1", " 1", "9223372036854775807", "9223372036854775808", "x"} {
		key := keyOfFamily(id)
		if other, twice := seen[key]; twice || key == noFamily {
			t.Errorf("family %q has the key %d of %q", id, key, other)
		}
		seen[key] = id
	}
	if keyOfFamily("") != noFamily {
		t.Error("no family has a key")
	}
}

func TestDigestIsOfASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contents := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Content {
			var c Content
			copy(c[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "content"))
			return c
		}), 2, 9).Draw(t, "contents")
		var forward, backward, some Digest
		for i, c := range contents {
			forward.Add(c)
			backward.Add(contents[len(contents)-1-i])
			if i > 0 {
				some.Add(c)
			}
		}
		if forward != backward {
			t.Fatalf("%v and %v", forward, backward)
		}
		joined := some
		var first Digest
		first.Add(contents[0])
		joined.Join(first)
		forward.Remove(contents[0])
		if forward != some || joined != backward {
			t.Fatalf("without the first %v, want %v; joined %v, want %v", forward, some, joined, backward)
		}
	})
}
