package topics

import (
	"archive/tar"
	"archive/zip"
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

	"dssdnet/ingest/qrels"
	"dssdnet/internal/fault"
	"dssdnet/internal/shareddata"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func config(t *testing.T, path string) Config {
	c := Default()
	c.Workspace, c.Path, c.Set, c.Split = workspace.Dir(t.TempDir()), path, "demo", "valid"
	return c
}

// patent is a small patent document in two languages, with a citation.
func patent(ucid, title string) string {
	return `<patent-document ucid="` + ucid + `" lang="DE" date="20010203" family-id="77"><bibliographic-data><technical-data>` +
		`<classifications-ipcr><classification-ipcr>A61K  31/00        20060101A I20060101RMEP        </classification-ipcr></classifications-ipcr>` +
		`<invention-title lang="DE">Stab</invention-title><invention-title lang="EN">` + title + `</invention-title>` +
		`<citations><patent-citations><patcit ucid="EP-0000042-A1"/></patent-citations></citations></technical-data></bibliographic-data>` +
		`<abstract lang="EN"><p>A rod.</p></abstract><description lang="EN"><p>Long.</p></description>` +
		`<claims lang="DE"><claim num="1"><claim-text>Ein Stab.</claim-text></claim></claims></patent-document>`
}

var setOf2010 = map[string]string{
	"PAC_topics.xml": "<topic>\n<num>PAC-2</num>\n<narr>R&D</narr>\n<file>files/b.xml</file>\n</topic>\n" +
		"<topic>\n<num>PAC-1</num>\n<file>PAC-1_EP-1-A2.xml</file>\n</topic>\n",
	"PAC-1_EP-1-A2.xml": patent("EP-1-A2", "first"),
	"files/b.xml":       patent("EP-0000002-A1", "second"),
	"files/unnamed.xml": "no topic names this",
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func table(t *testing.T, c Config) []schemas.Topic {
	t.Helper()
	f, err := os.Open(filepath.Join(c.Workspace.Table("topics"), c.Set+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := schemas.ReadAll[schemas.Topic](schemas.Topics, f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// rowsOf2010 is the table of setOf2010.
func rowsOf2010() []schemas.Topic {
	row := func(id, ucid, patentID, title string) schemas.Topic {
		return schemas.Topic{
			TopicID: id, PatentID: patentID, UCID: ucid, Set: "demo", Split: "valid", Lang: "de", Title: title, TitleDE: "Stab", Abstract: "A rod.",
			ClaimsDE: "Ein Stab.", PublicationDate: schemas.ParseDate("20010203"), FamilyID: "77", IPCSubclasses: []string{"A61K"},
		}
	}
	return []schemas.Topic{row("PAC-1", "EP-1-A2", "EP-0000001", "first"), row("PAC-2", "EP-0000002-A1", "EP-0000002", "second")}
}

var ignoreSeconds = cmpopts.IgnoreFields(Result{}, "Seconds")

func TestEverySource(t *testing.T) {
	dir := folder(t, setOf2010)
	deep := map[string]string{}
	for name, text := range setOf2010 {
		deep["test-pac/PAC_topics/"+name] = text
	}
	for name, path := range map[string]string{
		"topic file": filepath.Join(dir, "PAC_topics.xml"), "folder": dir, "deep folder": folder(t, deep),
		"tar.gz": tarOf(t, setOf2010, true), "tar": tarOf(t, deep, false), "zip": zipOf(t, deep),
	} {
		t.Run(name, func(t *testing.T) {
			c := config(t, path)
			got, err := Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			want := Result{Set: "demo", Split: "valid", Form: "topic file", Topics: 2, Languages: map[string]int64{"de": 2}}
			if diff := cmp.Diff(want, got, ignoreSeconds); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(rowsOf2010(), table(t, c), cmpopts.IgnoreFields(schemas.Topic{}, "ApplicationDate", "EarliestPriorityDate")); diff != "" {
				t.Error(diff)
			}
			again, err := Run(context.Background(), c)
			want.Skipped = true
			if diff := cmp.Diff(want, again, ignoreSeconds); diff != "" || err != nil {
				t.Errorf("second run: %v %s", err, diff)
			}
			if left, err := os.ReadDir(c.Workspace.Temp()); err == nil && len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func TestFolderOf2011(t *testing.T) {
	dir := folder(t, map[string]string{
		"files/EP-2-A1.xml": patent("EP-2-A1", "b"), "files/EP-1-A1.xml": patent("EP-1-A1", "a"), "files/copy.XML": patent("EP-1-A1", "a"),
		"files/._EP-1-A1.xml": "a Macintosh was here", "readme.txt": "not a topic",
	})
	c := config(t, dir)
	c.MaxDeadShare = 0.5
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := Result{
		Set: "demo", Split: "valid", Form: "folder", Topics: 2, DeadLetters: 1, Languages: map[string]int64{"de": 2},
		Dead: []Dead{{"EP-1-A1", "files/copy.XML", 0, "files/EP-1-A1.xml is the same topic"}},
	}
	if diff := cmp.Diff(want, r, ignoreSeconds); diff != "" {
		t.Error(diff)
	}
	rows := table(t, c)
	if len(rows) != 2 || rows[0].TopicID != "EP-1-A1" || rows[0].PatentID != "EP-0000001" || rows[1].TopicID != "EP-2-A1" {
		t.Errorf("rows %+v", rows)
	}
}

func TestDeadLetters(t *testing.T) {
	files := map[string]string{"PAC_topics.xml": setOf2010["PAC_topics.xml"] + "<topic>\n<num>PAC-3</num>\n<file>gone.xml</file>\n</topic>\n" +
		"<topic>\n<num>PAC-4</num>\n<file>bad.xml</file>\n</topic>\n<topic>\n<num>PAC-5</num>\n<file>../../secret</file>\n</topic>\n"}
	for name, text := range setOf2010 {
		if name != "PAC_topics.xml" {
			files[name] = text
		}
	}
	files["bad.xml"] = "<patent-document ucid='EP-4-A1'><abstract>"
	c := config(t, folder(t, files))
	for range 2 { // the verdict stands when the work is skipped
		r, err := Run(context.Background(), c)
		if fault.KindOf(err) != fault.DeadLetters || !strings.Contains(err.Error(), "3 of 5 topics") || !strings.Contains(err.Error(), "PAC-3, gone.xml (line 10 of the topic file)") {
			t.Errorf("error %v", err)
		}
		var reasons []string
		for _, d := range r.Dead {
			reasons = append(reasons, d.String())
		}
		all := strings.Join(reasons, "\n")
		for _, want := range []string{"the file does not exist", "topic PAC-4, bad.xml (line 14 of the topic file)", "leads out of the topic folder"} {
			if !strings.Contains(all, want) {
				t.Errorf("no %q among\n%s", want, all)
			}
		}
		if r.Topics != 2 || len(table(t, c)) != 2 {
			t.Errorf("result %+v", r)
		}
	}
	c.MaxDeadShare = 0.6
	if r, err := Run(context.Background(), c); err != nil || !r.Skipped {
		t.Errorf("with a higher limit: %+v, %v", r, err)
	}
}

func TestChangesAreSeen(t *testing.T) {
	for name, change := range map[string]func(dir string, c *Config) error{
		"nothing": func(string, *Config) error { return nil },
		"document": func(dir string, _ *Config) error {
			return os.WriteFile(filepath.Join(dir, "files/b.xml"), []byte(patent("EP-0000002-A1", "changed")), 0o644)
		},
		"unnamed": func(dir string, _ *Config) error { return os.Remove(filepath.Join(dir, "files/unnamed.xml")) },
		"split":   func(_ string, c *Config) error { c.Split = "test"; return nil },
		"force":   func(_ string, c *Config) error { c.Force = true; return nil },
		"output": func(_ string, c *Config) error {
			return os.Remove(filepath.Join(c.Workspace.Table("topics"), "demo.parquet"))
		},
	} {
		dir := folder(t, setOf2010)
		c := config(t, dir)
		if _, err := Run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if err := change(dir, &c); err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), c)
		if err != nil || r.Skipped != (name == "nothing" || name == "unnamed") {
			t.Errorf("after a change of %s: skipped %v, %v", name, r.Skipped, err)
		}
	}
}

func TestLongDocumentIsCut(t *testing.T) {
	long := strings.Replace(patent("EP-1-A1", "long"), "Long.", strings.Repeat("long ", 10_000), 1)
	c := config(t, folder(t, map[string]string{"EP-1-A1.xml": long}))
	c.MaxDocumentBytes = 10_000
	r, err := Run(context.Background(), c)
	if err != nil || r.Truncated != 1 || r.Topics != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRejected(t *testing.T) {
	whole, err := os.ReadFile(tarOf(t, setOf2010, true))
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.tar.gz")
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ path, says string }{
		"missing":       {"/does/not/exist", "no such file"},
		"empty folder":  {t.TempDir(), "neither a topic file nor an XML document"},
		"no topic file": {filepath.Join(folder(t, map[string]string{"a.xml": patent("EP-1-A1", "a")}), "a.xml"), "has no <topic>"},
		"two lists":     {folder(t, map[string]string{"a.xml": "<topic>", "b/c.txt": "<topic>"}), "has 2 topic files (a.xml, b/c.txt)"},
		"all bad":       {folder(t, map[string]string{"a.xml": "<nothing/>"}), "none of the 1 topics"},
		"cut archive":   {cut, "cannot be unpacked"},
		"zip bomb":      {zipOf(t, map[string]string{"a.xml": strings.Repeat("x", 2000)}), "more than --max-unpacked-bytes 1000"},
		"tar bomb":      {tarOf(t, map[string]string{"a.xml": strings.Repeat("x", 2000)}, true), "more than --max-unpacked-bytes 1000"},
	} {
		c := config(t, test.path)
		if strings.Contains(name, "bomb") {
			c.MaxUnpackedBytes = 1000
		}
		_, err := Run(context.Background(), c)
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v", name, err)
		}
		if _, err := os.Stat(c.Workspace.Table("topics")); !os.IsNotExist(err) {
			t.Errorf("%s: something was written", name)
		}
		if left, err := os.ReadDir(c.Workspace.Temp()); err == nil && len(left) > 0 {
			t.Errorf("%s: left over: %v", name, left)
		}
	}
}

func TestMembersStayInside(t *testing.T) {
	path := tarOf(t, map[string]string{"../../escaped.xml": patent("EP-1-A1", "a"), "/absolute.xml": patent("EP-2-A1", "b")}, true)
	c := config(t, path)
	r, err := Run(context.Background(), c)
	if err != nil || r.Topics != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(filepath.Join(string(c.Workspace), "..", "escaped.xml")); err == nil {
		t.Error("a member was written outside")
	}
}

func TestUsage(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.Path = "" },
		func(c *Config) { c.Set = "a/b" },
		func(c *Config) { c.Split = "dev" },
		func(c *Config) { c.MaxDocumentBytes = 0 },
		func(c *Config) { c.MaxDeadShare = -1 },
	} {
		c := config(t, "topics")
		change(&c)
		if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// TestRealTopics holds the counts of real topic sets, and that every topic of their qrels joins.
func TestRealTopics(t *testing.T) {
	dir := filepath.Join(shareddata.Dir(t), "data")
	for set, want := range map[string]int64{
		"mini-core/train": 342, "mini-core/valid": 42, "mini-core/test": 43, "mini-wide/train": 648, "mini-wide/valid": 88, "mini-wide/test": 95,
	} {
		folder, split := filepath.Split(set)
		c := config(t, filepath.Join(dir, folder, "topics-"+split+".tar.gz"))
		c.Split = split
		r, err := Run(context.Background(), c)
		if err != nil || r.Topics != want || r.DeadLetters != 0 || r.Form != "topic file" {
			t.Errorf("%s: %+v, %v", set, r, err)
			continue
		}
		topics := map[string]bool{}
		for _, row := range table(t, c) {
			topics[row.TopicID] = true
			if row.Title+row.Abstract == "" || row.PatentID == "" || row.Lang != "en" {
				t.Errorf("%s: topic %s of %s in %q has no text", set, row.TopicID, row.PatentID, row.Lang)
			}
		}
		q := qrels.Default()
		q.Workspace, q.File, q.Set = c.Workspace, filepath.Join(dir, folder, "qrels-"+split+".txt"), "demo"
		if _, err := qrels.Run(context.Background(), q); err != nil {
			t.Fatal(err)
		}
		for _, row := range qrelRows(t, c.Workspace) {
			if !topics[row.TopicID] {
				t.Errorf("%s: qrels topic %s is no topic", set, row.TopicID)
			}
		}
	}
}

func qrelRows(t *testing.T, w workspace.Dir) []schemas.Qrel {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.Table("qrels"), "demo.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := schemas.ReadAll[schemas.Qrel](schemas.Qrels, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func tarOf(t *testing.T, files map[string]string, zipped bool) string {
	t.Helper()
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := packed.Bytes()
	if zipped {
		var smaller bytes.Buffer
		z := gzip.NewWriter(&smaller)
		if _, err := z.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		data = smaller.Bytes()
	}
	path := filepath.Join(t.TempDir(), "topics.bin")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipOf(t *testing.T, files map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprint(f, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "topics.zip")
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
