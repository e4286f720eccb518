package qrels

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dssdnet/internal/fault"
	"dssdnet/internal/shareddata"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func config(t *testing.T, file string) Config {
	c := Default()
	c.Workspace, c.File, c.Set = workspace.Dir(t.TempDir()), file, "test"
	return c
}

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func table(t *testing.T, c Config) []schemas.Qrel {
	t.Helper()
	f, err := os.Open(filepath.Join(c.Workspace.Table("qrels"), c.Set+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := schemas.ReadAll[schemas.Qrel](schemas.Qrels, f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

var ignoreSeconds = cmpopts.IgnoreFields(Result{}, "Seconds")

func TestRun(t *testing.T) {
	c := config(t, textFile(t, "q.txt", "\xef\xbb\xbf"+`PAC-2 0 EP-0000002-A1 1
PAC-2 0 EP-0000002-B1 2
PAC-2 0 EP-0000002-A3 1
PAC-2 0 EP-3-B 1
PAC-2 0 EP-0000004-A1 0

PAC-1 0 EP-0000009-A1 1
nonsense
PAC-1 EP-0000009-A1 1
`))
	c.MaxGoldsPerTopic, c.MaxDeadShare = 1, 0.5
	got, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := Result{
		Set: "test", RowsRead: 6, BadLines: 2, GradeZero: 1, MergedDuplicates: 2, ImpossibleIDs: 1, RowsWritten: 3, Topics: 2,
		Grades: map[int32]int64{1: 2, 2: 1}, BrokenTopics: 1,
		Bad: []BadLine{
			{8, `1 columns: neither "topic 0 id grade" nor "topic id grade", with or without a language`},
			{9, `the line reads as "topic, id, grade", the file began with "topic, iteration, id, grade"`},
		},
	}
	if diff := cmp.Diff(want, got, ignoreSeconds); diff != "" {
		t.Error(diff)
	}
	rows := []schemas.Qrel{
		{TopicID: "PAC-1", PatentID: "EP-0000009", Grade: 1, Set: "test"},
		{TopicID: "PAC-2", PatentID: "EP-0000002", Grade: 2, Set: "test", BrokenTopic: true},
		{TopicID: "PAC-2", PatentID: "EP-0000003", Grade: 1, Set: "test", BrokenTopic: true},
	}
	if diff := cmp.Diff(rows, table(t, c)); diff != "" {
		t.Error(diff)
	}
}

func TestSecondRunIsSkipped(t *testing.T) {
	c := config(t, textFile(t, "q.txt", "PAC-1 0 EP-0000009-A1 1\n"))
	first, err := Run(context.Background(), c)
	if err != nil || first.Skipped {
		t.Fatalf("first run: %+v, %v", first, err)
	}
	second, err := Run(context.Background(), c)
	if err != nil || !second.Skipped {
		t.Fatalf("second run: %+v, %v", second, err)
	}
	if diff := cmp.Diff(first, second, cmpopts.IgnoreFields(Result{}, "Skipped")); diff != "" {
		t.Error(diff)
	}
	for name, change := range map[string]func(*Config){
		"force":    func(c *Config) { c.Force = true },
		"settings": func(c *Config) { c.MaxGoldsPerTopic = 5 },
		"output": func(c *Config) {
			if err := os.Remove(filepath.Join(c.Workspace.Table("qrels"), "test.parquet")); err != nil {
				t.Fatal(err)
			}
		},
		"input": func(c *Config) {
			if err := os.WriteFile(c.File, []byte("PAC-1 0 EP-0000008-A1 1\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		changed := c
		change(&changed)
		if r, err := Run(context.Background(), changed); err != nil || r.Skipped {
			t.Errorf("after a change of %s: %+v, %v", name, r, err)
		}
	}
}

func TestDeadLetters(t *testing.T) {
	c := config(t, textFile(t, "q.txt", "PAC-1 0 EP-0000009-A1 1\nPAC-1 0 EP-0000008-A1 x\n"))
	for range 2 { // the verdict stands when the work is skipped
		r, err := Run(context.Background(), c)
		if fault.KindOf(err) != fault.DeadLetters || !strings.Contains(err.Error(), "q.txt:2: grade \"x\"") || r.RowsWritten != 1 {
			t.Errorf("result %+v, error %v", r, err)
		}
	}
	if rows := table(t, c); len(rows) != 1 {
		t.Errorf("rows %+v", rows)
	}
}

func TestRejected(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := fmt.Fprint(z, strings.Repeat("PAC-1 0 EP-0000009-A1 1\n", 1000)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, says string }{
		"empty.txt":     {"", "no relevance judgement"},
		"run.txt":       {"PAC-7 Q0 EP-0734121 1 1314.78 STANDARD\n", "run.txt:1: 6 columns"},
		"binary":        {strings.Repeat("x", maxLine+1), "it is no qrels file"},
		"truncated.gz":  {zipped.String()[:zipped.Len()-6], "damaged or cut short"},
		"notgzip.gz":    {"\x1f\x8bxxxxxxxxxxxxxxx", "gzip"},
		"only-zero.txt": {"PAC-1 0 EP-0000009-A1 0\n", "no relevance judgement"},
	} {
		c := config(t, textFile(t, name, test.text))
		_, err := Run(context.Background(), c)
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := os.Stat(c.Workspace.Table("qrels")); !os.IsNotExist(err) {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.File = "" },
		func(c *Config) { c.Set = "../x" },
		func(c *Config) { c.MaxGoldsPerTopic = 0 },
		func(c *Config) { c.MaxDeadShare = 2 },
	} {
		c := config(t, "q.txt")
		change(&c)
		if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// TestRealQrels holds the counts of real qrels sets.
func TestRealQrels(t *testing.T) {
	dir := filepath.Join(shareddata.Dir(t), "data")
	for _, test := range []struct {
		file                           string
		read, written, topics, broken  int64
		impossible, duplicates, graded int64
	}{
		{"clef-ip-2010-qrels/qrels.txt.gz", 63002, 45715, 1348, 45, 16, 63002 - 45715, 1},
		{"mini-core/qrels-train.txt", 859, 859, 342, 0, 0, 0, 0},
		{"mini-core/qrels-valid.txt", 142, 142, 42, 0, 0, 0, 0},
		{"mini-core/qrels-test.txt", 116, 116, 43, 0, 0, 0, 0},
		{"mini-wide/qrels-train.txt", 1837, 1837, 648, 0, 0, 0, 0},
		{"mini-wide/qrels-valid.txt", 256, 256, 88, 0, 0, 0, 0},
		{"mini-wide/qrels-test.txt", 313, 313, 95, 0, 0, 0, 0},
	} {
		c := config(t, filepath.Join(dir, test.file))
		r, err := Run(context.Background(), c)
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if r.RowsRead != test.read || r.RowsWritten != test.written || r.Topics != test.topics || r.BrokenTopics != test.broken ||
			r.ImpossibleIDs != test.impossible || r.MergedDuplicates != test.duplicates || (r.Grades[2] > 0) != (test.graded > 0) || r.BadLines != 0 {
			t.Errorf("%s: %+v", test.file, r)
		}
		if n := int64(len(table(t, c))); n != test.written {
			t.Errorf("%s: the table has %d rows", test.file, n)
		}
	}
}
