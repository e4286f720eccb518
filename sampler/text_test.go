package sampler

import "testing"

func TestMeasure(t *testing.T) {
	for _, test := range []struct {
		text          string
		words, tokens uint32
	}{
		{"", 0, 0},
		{"  ", 0, 0},
		{"A rod", 2, 2},
		{"A rod.", 2, 3},
		{"a self-cleaning, 10-mm rod", 4, 9},
		{"CO2 (gas)\nat 5%", 4, 7},
		{"naïve Bügel", 2, 2},
		{"棒と 棍", 2, 3},
		{"a\u00a0b", 2, 2},
		{"±5 °C", 2, 2}, // BERT leaves signs beyond ASCII that are no punctuation
	} {
		if words, tokens := measure(test.text); words != test.words || tokens != test.tokens {
			t.Errorf("%q has %d words and %d tokens, want %d and %d", test.text, words, tokens, test.words, test.tokens)
		}
	}
}

func TestTextStore(t *testing.T) {
	s, err := newTextStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for _, want := range [][2]string{{"A rod", "It is long."}, {"", "Only an abstract"}, {"Ü", ""}, {"", ""}} {
		ref, err := s.write(want[0], want[1])
		if err != nil {
			t.Fatal(err)
		}
		title, abstract, err := s.read(ref)
		if err != nil || title != want[0] || abstract != want[1] {
			t.Errorf("%q came back as %q, %q, %v", want, title, abstract, err)
		}
	}
	ref, err := s.write("bad \xff byte", "")
	if err != nil {
		t.Fatal(err)
	}
	if title, _, _ := s.read(ref); title != "bad \uFFFD byte" {
		t.Errorf("a text that is not UTF-8 came back as %q", title)
	}
}
