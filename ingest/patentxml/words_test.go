package patentxml

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/schemas"
)

// wordsOf returns the words of each text column, by "section lang".
func wordsOf(row *schemas.Document) map[string][]string {
	words := make(map[string][]string)
	for _, s := range []section{title, abstract, claims, description} {
		for _, lang := range []string{english, german, french} {
			if text := *columnOf(row, s, lang); text != "" {
				words[string(s)+" "+lang] = strings.Fields(text)
			}
		}
	}
	for _, other := range row.OtherTexts {
		words[other.Section+" "+other.Lang] = strings.Fields(other.Text)
	}
	return words
}

// The columns hold the words that an independent script finds in the same files.
func TestWordsOfSamples(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3: the words are counted by testdata/words.py too")
	}
	total := 0
	samples(t, func(t *testing.T, path string, raw []byte) {
		row, rejection := NewParser(Limits{}).parse(raw, 0)
		if rejection != nil {
			return
		}
		out, err := exec.Command(python, "testdata/words.py", path).Output()
		if err != nil {
			t.Fatalf("words.py: %v", err)
		}
		var want map[string][]string
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, wordsOf(row)); diff != "" {
			t.Errorf("words differ (-words.py +columns):\n%s", diff)
		}
		for _, words := range want {
			total += len(words)
		}
	})
	if total < 20000 {
		t.Errorf("only %d words compared", total)
	}
}
