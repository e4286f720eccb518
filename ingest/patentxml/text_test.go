package patentxml

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Whatever the pieces that a text comes in, the words are those of strings.Fields, joined by single spaces.
func TestTextBuilderCollapsesWhiteSpace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.StringOfN(rapid.RuneFrom([]rune("abcdefg.-\u00e9\u2013\u6f22  \n\t\u00a0\u2003\u3000")), 0, 40, -1)).Draw(t, "pieces")
		var b textBuilder
		b.reset(1 << 20)
		for _, p := range pieces {
			b.write([]byte(p))
		}
		if want := strings.Join(strings.Fields(strings.Join(pieces, "")), " "); string(b.buf) != want {
			t.Fatalf("got %q, want %q", b.buf, want)
		}
	})
}

// Two spaces fall on every place of the eight bytes that are read at once.
func TestTextBuilderGapsAtEveryPlace(t *testing.T) {
	for before := range 40 {
		for _, gap := range []string{" ", "  ", "\n", " \n", "   ", "\u00a0", " \u2003 "} {
			var b textBuilder
			b.reset(1 << 20)
			head, tail := strings.Repeat("x", before), strings.Repeat("y", 40)
			b.write([]byte(head + gap + tail + gap + "\u00e9" + tail))
			equal(t, "text", string(b.buf), strings.TrimSpace(head+" "+tail+" \u00e9"+tail))
		}
	}
}

// A text over the limit keeps whole words from its beginning, or whole characters when the first word is too long.
func TestTextBuilderLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abc\u00e9\u6f22  \n")), 0, 60, -1).Draw(t, "text")
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		var b textBuilder
		b.reset(int64(limit))
		for _, p := range strings.SplitAfter(text, "\n") {
			b.write([]byte(p))
		}
		got, words := string(b.buf), strings.Fields(text)
		whole := strings.Join(words, " ")
		switch {
		case len(whole) <= limit:
			if b.full || got != whole {
				t.Fatalf("%q with limit %d: %q", text, limit, got)
			}
		case !b.full || len(got) > limit || !utf8.ValidString(got) || !strings.HasPrefix(whole, got):
			t.Fatalf("%q with limit %d: %q, full %v", text, limit, got, b.full)
		case len(words[0]) <= limit && whole[len(got)] != ' ':
			t.Fatalf("%q with limit %d ends inside a word: %q", text, limit, got)
		}
	})
}
