package wordpiece

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func small(t *testing.T, o Options, words ...string) *Tokenizer {
	t.Helper()
	k, err := New(append(Vocab{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}, words...), o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestLongestTokenFirst(t *testing.T) {
	k := small(t, Options{}, "un", "unaff", "##aff", "##able", "##a", "able", "[", "]", "sep", "naive", "naïve", "Na")
	for text, want := range map[string]string{
		"unaffable":      "unaff ##able",
		"UNAFFABLE able": "unaff ##able able",
		"unaffa":         "unaff ##a",
		"unaffx":         "[UNK]", // one piece is unknown, so all of it is
		"naïve":          "naive",
		"[SEP]":          "[ sep ]", // special tokens in a text are text
		"":               "",
		" \t\n":          "",
		"a\xffble able":  "able able", // a byte that is not UTF-8 is dropped
	} {
		var got []string
		for _, id := range k.Append(nil, text) {
			got = append(got, k.Token(id))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q gives %q, want %q", text, s, want)
		}
	}
	keep := small(t, Options{KeepAccents: true}, "naïve")
	if got := keep.Append(nil, "NAÏVE"); len(got) != 1 || keep.Token(got[0]) != "naïve" {
		t.Errorf("with KeepAccents: %v", got)
	}
}

func TestTruncateLongestFirst(t *testing.T) {
	for _, c := range []struct{ a, b, room, wantA, wantB int }{
		{3, 4, 7, 3, 4},         // fits
		{3, 10, 9, 3, 6},        // the longer gives up
		{10, 3, 9, 6, 3},        // whichever it is
		{10, 20, 9, 4, 5},       // both do: the odd one goes to the longer
		{20, 10, 9, 5, 4},       //
		{10, 10, 9, 4, 5},       // equal: to the second
		{0, 10, 9, 0, 9},        //
		{300, 200, 125, 63, 62}, //
		{5, 5, 0, 0, 0},         //
	} {
		if a, b := truncate(c.a, c.b, c.room); a != c.wantA || b != c.wantB {
			t.Errorf("truncate(%d, %d, %d) = %d, %d, want %d, %d", c.a, c.b, c.room, a, b, c.wantA, c.wantB)
		}
	}
}

func TestPairsArePadded(t *testing.T) {
	k := small(t, Options{}, "pump", "valve", "seal")
	for _, workers := range []int{1, 4} {
		b := k.Pairs([]Pair{{"pump valve", "seal"}, {"", "pump"}}, 16, workers)
		if b.Rows != 2 || b.Length != 6 || !slices.Equal(b.Lengths, []int{6, 4}) {
			t.Fatalf("%d x %d, lengths %v", b.Rows, b.Length, b.Lengths)
		}
		if want := []int64{2, 5, 6, 3, 7, 3, 2, 3, 5, 3, 0, 0}; !slices.Equal(b.IDs, want) {
			t.Errorf("ids %v, want %v", b.IDs, want)
		}
		if want := []int64{0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}; !slices.Equal(b.Types, want) {
			t.Errorf("types %v, want %v", b.Types, want)
		}
		if want := []uint8{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}; !slices.Equal(b.Mask, want) {
			t.Errorf("mask %v, want %v", b.Mask, want)
		}
	}
}

func TestVocabWithoutSpecialTokensIsRefused(t *testing.T) {
	if _, err := New(Vocab{"[PAD]", "[UNK]", "a"}, Options{}); err == nil || !strings.Contains(err.Error(), "no [") {
		t.Errorf("New says %v", err)
	}
}

// Whatever the text: the numbers are in the vocabulary and the pair fits.
func FuzzPair(f *testing.F) {
	k, err := Load("testdata/vocab-uncased.txt", Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("A pump", "H₂SO₄ \xff\xfe 半導体", 9)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if limit < specials || limit > 1000 {
			return
		}
		ids, second := k.AppendPair(nil, Pair{a, b}, limit)
		if len(ids) > limit || second < 2 || second >= len(ids) {
			t.Fatalf("%d tokens for a limit of %d, the second text at %d", len(ids), limit, second)
		}
		for _, id := range ids {
			if k.Token(id) == "" {
				t.Fatalf("token %d", id)
			}
		}
		if utf8.ValidString(a) && len(a) < 1000 {
			if got := k.Append(nil, a+" "+a); !slices.Equal(got, append(k.Append(nil, a), k.Append(nil, a)...)) {
				t.Fatalf("%q twice is not its tokens twice", a)
			}
		}
	})
}
