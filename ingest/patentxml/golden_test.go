package patentxml

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden rows")

// TestGoldenRows compares the whole row of a document of each dialect with the one beside it.
func TestGoldenRows(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*.xml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	dialects := make(map[string]bool)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			row, rejection := bothWays(t, file, raw, 0)
			if rejection != nil {
				t.Fatal(rejection)
			}
			dialects[row.Dialect] = true
			var got bytes.Buffer
			enc := json.NewEncoder(&got)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			if err := enc.Encode(row); err != nil {
				t.Fatal(err)
			}
			path := strings.TrimSuffix(file, ".xml") + ".json"
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("-golden +row; run with -update and read the difference:\n%s", diff)
			}
		})
	}
	for _, dialect := range []string{dialectCLEFIP, dialectEPO, dialectUSPTO} {
		if !dialects[dialect] {
			t.Errorf("no golden row of %s", dialect)
		}
	}
}
