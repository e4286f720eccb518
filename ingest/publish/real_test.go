package publish

import (
	"path/filepath"
	"testing"

	"dssdnet/internal/shareddata"
)

// TestRealPatents publishes collections of known size, and sample files of every office.
func TestRealPatents(t *testing.T) {
	shared := shareddata.Dir(t)
	for name, want := range map[string]int64{"mini-wide": 22_400, "mini-core": 2_819} {
		c := start(t, filepath.Join(shared, "data", name, "collection.tar.gz"))
		r, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Documents != want || r.DeadLetters != 0 || r.Cut != 0 || r.WithoutID != 0 {
			t.Errorf("%s: result %+v, want %d documents", name, r, want)
		}
	}
	c := start(t, filepath.Join(shared, "data", "xml-samples"))
	r, records := publishes(t, c)
	for _, m := range flat(records) {
		checkRecord(t, m)
	}
	if r.Documents != r.Files || len(r.Junk) != 0 || r.DeadLetters != 0 {
		t.Errorf("samples: result %+v, want a document of each file", r)
	}
}
