package bert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/train/bert"
)

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadTokenizer(t *testing.T) {
	const vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nPump\npump\nnaïve\nnaive\n"
	c := bert.Config{VocabSize: 8}
	for config, want := range map[string]string{
		"":                         "pump naive",
		`{"do_lower_case": true}`:  "pump naive",
		`{"do_lower_case": false}`: "Pump naïve",
		`{"strip_accents": false}`: "pump naïve",
		`{"do_lower_case": false, "strip_accents": true}`: "Pump naive",
	} {
		files := map[string]string{"vocab.txt": vocab}
		if config != "" {
			files["tokenizer_config.json"] = config
		}
		k, err := bert.LoadTokenizer(folder(t, files), c)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, id := range k.Append(nil, "Pump naïve") {
			got = append(got, k.Token(id))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s gives %q, want %q", config, s, want)
		}
	}
	for size, fits := range map[int]bool{7: false, 8: true, 100: true, 30522: false} {
		_, err := bert.LoadTokenizer(folder(t, map[string]string{"vocab.txt": vocab}), bert.Config{VocabSize: size})
		if (err == nil) != fits {
			t.Errorf("8 tokens for weights of %d: %v", size, err)
		}
		if err != nil && !strings.Contains(err.Error(), "8 tokens") {
			t.Errorf("the error does not name the sizes: %v", err)
		}
	}
}
