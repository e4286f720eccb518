package wordpiece

import (
	"slices"
	"strings"
	"testing"
)

func TestLearn(t *testing.T) {
	// Words and counts: low 5, lower 2, newest 6, widest 3: the example of the paper on byte pair encoding.
	text := strings.Repeat("low ", 5) + strings.Repeat("lower ", 2) + strings.Repeat("newest ", 6) + strings.Repeat("widest ", 3)
	v, err := Learn(slices.Values([]string{text}), 28, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const alphabet = 10 // d e i l n o r s t w
	if !slices.Equal(v[:5], Vocab{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) || v[5] != "d" || v[5+alphabet-1] != "w" {
		t.Errorf("the vocabulary starts with %v", v[:15])
	}
	// es: 6+3, then est: 9; then lo: 7 and low: 7.
	for _, token := range []string{"##es", "##est", "lo", "low"} {
		if !slices.Contains(v, token) {
			t.Errorf("%s is not in %v", token, v)
		}
	}
	if es, est := slices.Index(v, "##es"), slices.Index(v, "##est"); es > est {
		t.Errorf("##es is number %d, after ##est, %d", es, est)
	}
	k, err := New(v, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range k.Append(nil, text) {
		if k.Token(id) == tokenUnk {
			t.Fatal("a word of the text itself is unknown")
		}
	}
	again, err := Learn(slices.Values([]string{text}), 28, Options{})
	if err != nil || !slices.Equal(again, v) {
		t.Errorf("learnt again: %v, %v", again, err)
	}
	if _, err := Learn(slices.Values([]string{text}), 10, Options{}); err == nil || !strings.Contains(err.Error(), "too small") {
		t.Errorf("a size of 10 says %v", err)
	}
}

func TestLearnKeepsToItsSizeOnMixedText(t *testing.T) {
	var texts []string
	for _, v := range readVectors(t) {
		texts = append(texts, v.Text)
	}
	v, err := Learn(slices.Values(texts), 3000, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(v) > 3000 || len(v) < 2000 {
		t.Errorf("%d tokens", len(v))
	}
	seen := map[string]bool{}
	for _, token := range v {
		if seen[token] {
			t.Errorf("%q stands twice", token)
		}
		seen[token] = true
	}
}
