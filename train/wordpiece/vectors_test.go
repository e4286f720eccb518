package wordpiece

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// vector is a line of testdata/vectors.jsonl: what Hugging Face tokenizers made of a text, or of a pair cut to Max.
type vector struct {
	Text    string         `json:"text"`
	Pair    *string        `json:"pair"`
	Max     int            `json:"max"`
	Uncased []int32        `json:"uncased"`
	Cased   []int32        `json:"cased"`
	Second  map[string]int `json:"second"` // where the second text starts
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	f, err := os.Open("testdata/vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("vector %d: %v", len(all)+1, err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) < 2000 {
		t.Fatalf("only %d vectors", len(all))
	}
	return all
}

func tokenizer(t testing.TB, name string) *Tokenizer {
	t.Helper()
	k, err := Load("testdata/vocab-"+name+".txt", Options{Cased: name == "cased"})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestVectors(t *testing.T) {
	vectors := readVectors(t)
	for _, name := range []string{"uncased", "cased"} {
		k := tokenizer(t, name)
		for i, v := range vectors {
			want := v.Uncased
			if name == "cased" {
				want = v.Cased
			}
			var got []int32
			if v.Pair == nil {
				got = k.Append(nil, v.Text)
			} else {
				var second int
				got, second = k.AppendPair(nil, Pair{v.Text, *v.Pair}, v.Max)
				if second != v.Second[name] {
					t.Errorf("%s, vector %d: the second text starts at %d, want %d", name, i+1, second, v.Second[name])
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, vector %d, %q:\n got %v\nwant %v", name, i+1, v.Text, got, want)
			}
		}
	}
}
