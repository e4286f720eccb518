package pipelines

import "testing"

// TestTopics compares a topic by its end offsets.
func TestTopics(t *testing.T) {
	topic := place{"work"}.topic("patents.xml")
	data := func(ends string) Data { return Data{Name: "kafka/patents.xml", Fingerprint: ends} }
	for _, c := range []struct{ then, now, changed, lost string }{
		{"k/0:5,1:7", "k/0:5,1:7", "", ""},
		{"k/0:5,1:7", "k/0:6,1:9", "kafka/patents.xml has 3 new records", ""},
		{"k/0:5", "k/0:5,1:2", "kafka/patents.xml has 2 new records", ""},
		{"k/0:5", "j/0:9", "kafka/patents.xml is another topic than it was", "its output kafka/patents.xml is another topic than it was"},
		{"k/0:5", "k/0:2", "kafka/patents.xml is another topic than it was", "its output kafka/patents.xml is another topic than it was"},
		{"k/0:5", "", "kafka/patents.xml is gone", "its output kafka/patents.xml is gone"},
		{"", "k/0:2", "kafka/patents.xml is new", ""},
	} {
		if got := changed([]Data{data(c.then)}, data(c.now), topic); got != c.changed {
			t.Errorf("from %q to %q as an input: %q, want %q", c.then, c.now, got, c.changed)
		}
		if got := lost([]Data{data(c.then)}, data(c.now), topic); got != c.lost {
			t.Errorf("from %q to %q as an output: %q, want %q", c.then, c.now, got, c.lost)
		}
	}
}

// TestShared lets others add to documents/, and nobody take away.
func TestShared(t *testing.T) {
	documents := place{"work"}.table(documents)
	then := []Data{{Name: "documents", Fingerprint: "a", Files: 2, Bytes: 100}}
	for _, c := range []struct {
		now  Data
		want string
	}{
		{Data{Name: "documents", Fingerprint: "b", Files: 3, Bytes: 150}, ""},
		{Data{Name: "documents", Fingerprint: "b", Files: 1, Bytes: 50}, "its output documents has lost files"},
		{Data{Name: "documents"}, "its output documents is gone"},
	} {
		if got := lost(then, c.now, documents); got != c.want {
			t.Errorf("%+v: %q, want %q", c.now, got, c.want)
		}
	}
}

// TestNames gives paths in the workspace the names that stages know them by.
func TestNames(t *testing.T) {
	p := place{"/w"}
	for path, want := range map[string]string{
		"/w/runs/a.trec.gz":            "runs/a",
		"/w/runs/a.txt":                "runs/a.txt",
		"/w/models/current/checkpoint": "models",
		"/w/topics/x.parquet":          "topics/x",
		"/w/checkpoints/r/best":        "checkpoints/r/best",
		"/w/collection":                "collection",
		"/wide/collection":             "/wide/collection",
		"/data/../data/x":              "/data/x",
	} {
		if got := p.file(path).name; got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if !p.table("topics").touches(p.sets("topics", []string{"x"})[0]) || p.table("pools/a").touches(p.table("pools/ab")) {
		t.Error("a part and a namesake are confused")
	}
}
