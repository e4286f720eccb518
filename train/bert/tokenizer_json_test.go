package bert_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dssdnet/train/bert"
	"dssdnet/train/wordpiece"
)

func save(t *testing.T, k *wordpiece.Tokenizer) (path string) {
	t.Helper()
	dir := t.TempDir()
	if err := bert.SaveTokenizer(dir, k, 128); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "tokenizer.json")
}

func TestFastTokenizerFile(t *testing.T) {
	for _, c := range []struct {
		options     wordpiece.Options
		lower       bool
		strip       any
		specials    int
		vocab       wordpiece.Vocab
		first, last int // numbers of "[PAD]" and of "<"
	}{
		{wordpiece.Options{}, true, nil, 4, wordpiece.Vocab{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "<"}, 0, 4},
		{wordpiece.Options{Cased: true}, false, nil, 5, wordpiece.Vocab{"[UNK]", "[CLS]", "[SEP]", "[MASK]", "<", "[PAD]"}, 5, 4},
		{wordpiece.Options{Cased: true, StripAccents: true}, false, true, 4, wordpiece.Vocab{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "<", "<"}, 0, 5},
		{wordpiece.Options{KeepAccents: true}, true, false, 4, wordpiece.Vocab{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[PAD]", "<"}, 4, 5},
	} {
		k, err := wordpiece.New(c.vocab, c.options)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(save(t, k))
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Added      []struct{ ID int } `json:"added_tokens"`
			Normalizer struct {
				Strip any  `json:"strip_accents"`
				Lower bool `json:"lowercase"`
			}
			Model struct{ Vocab map[string]int }
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if got.Normalizer.Lower != c.lower || got.Normalizer.Strip != c.strip || len(got.Added) != c.specials ||
			got.Model.Vocab["[PAD]"] != c.first || got.Model.Vocab["<"] != c.last {
			t.Errorf("%+v of %q gives %+v", c.options, c.vocab, got)
		}
	}
}

// TestTokenizersReadsIt compares with Hugging Face's library on the vectors of train/wordpiece.
func TestTokenizersReadsIt(t *testing.T) {
	python := os.Getenv("DSSDNET_PYTHON")
	if python == "" {
		t.Skip("needs DSSDNET_PYTHON, a Python with tokenizers")
	}
	if err := exec.Command(python, "-c", "import tokenizers").Run(); err != nil {
		t.Skipf("needs tokenizers in %s", python)
	}
	const wordpieceData = "../wordpiece/testdata"
	for _, name := range []string{"uncased", "cased"} {
		k, err := wordpiece.Load(filepath.Join(wordpieceData, "vocab-"+name+".txt"), wordpiece.Options{Cased: name == "cased"})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(python, filepath.Join("testdata", "tokenizer_json.py"), save(t, k), filepath.Join(wordpieceData, "vectors.jsonl"), name)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("tokenizers cannot read the file: %v", err)
		}
		var got struct {
			Compared int
			Differ   []string
		}
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		if got.Compared < 2000 || len(got.Differ) > 0 {
			t.Errorf("%s: %d of %d vectors differ, the first of %q", name, len(got.Differ), got.Compared, got.Differ[:min(3, len(got.Differ))])
		}
	}
}
