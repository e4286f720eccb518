package merge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// config is a merge in an empty workspace whose patents files hold next to nothing.
func config(t *testing.T) Config {
	c := Default()
	c.Workspace, c.MemoryLimit, c.Threads, c.FileBytes = workspace.Dir(t.TempDir()), minMemory, 2, 60
	return c
}

// addDocuments writes a documents file of row groups of three rows.
func addDocuments(t testing.TB, w workspace.Dir, name string, rows ...schemas.Document) {
	t.Helper()
	writeDocuments(t, w, name, 3, rows)
}

func writeDocuments(t testing.TB, w workspace.Dir, name string, groupRows int, rows []schemas.Document) {
	t.Helper()
	f, err := durable.Create(filepath.Join(w.Table("documents"), name+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	out := schemas.NewWriter[schemas.Document](schemas.Documents, f)
	for group := range slices.Chunk(rows, groupRows) {
		if _, err := out.Write(group); err != nil {
			t.Fatal(err)
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(); err != nil {
		t.Fatal(err)
	}
}

// document is a row at an offset of the topic.
func document(ucid string, offset int64, set ...func(*schemas.Document)) schemas.Document {
	u, err := schemas.ParseUCID(ucid)
	if err != nil {
		panic(err)
	}
	d := schemas.Document{
		UCID: ucid, PatentID: u.PatentID(), Country: u.Country, DocNumber: u.Number, Kind: u.Kind, TitleEN: "title of " + ucid,
		Source: schemas.Source{Topic: schemas.TopicXML, Offset: offset, Timestamp: offset},
	}
	for _, change := range set {
		change(&d)
	}
	d.TextBytes = int64(len(d.TitleEN) + len(d.AbstractEN) + len(d.ClaimsEN) + len(d.DescriptionDE))
	return d
}

func mustRun(t testing.TB, c Config) Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// patents reads the table in the order of its manifest.
func patents(t testing.TB, w workspace.Dir) []schemas.Patent {
	t.Helper()
	s := loadState(w.Table("patents"))
	if s.broken != "" {
		t.Fatal(s.broken)
	}
	var all []schemas.Patent
	for _, file := range s.Files {
		f, err := os.Open(filepath.Join(w.Table("patents"), file.Name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := schemas.ReadAll[schemas.Patent](schemas.Patents, f, file.Size)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

func titles(t testing.TB, w workspace.Dir) string {
	t.Helper()
	var b strings.Builder
	for _, p := range patents(t, w) {
		fmt.Fprintf(&b, "%s=%s;", p.PatentID, p.Title)
	}
	return b.String()
}

// contents is every file of patents/ but the manifest, which has times in it.
func contents(t testing.TB, w workspace.Dir) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(w.Table("patents"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		if e.Name() == manifestName {
			continue
		}
		data, err := os.ReadFile(filepath.Join(w.Table("patents"), e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(data)
	}
	return files
}

var ignoreSize = cmpopts.IgnoreFields(Result{}, "Seconds", "Bytes", "SpillBytes", "TextBytes")

func TestMergeStepByStep(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a",
		document("EP-0000001-A1", 0),
		document("EP-0000001-B1", 1, func(d *schemas.Document) { d.TitleEN = "" }),
		document("EP-0000002-A1", 2),
		document("EP-0000003-A1", 3),
		document("WO-1981000106-A1", 4),
	)
	want := Result{Full: true, DocumentFiles: 1, NewFiles: 1, DocumentRows: 5, Documents: 5, Patents: 4, Touched: 4, FilesWritten: 3}
	if diff := cmp.Diff(want, mustRun(t, c), ignoreSize); diff != "" {
		t.Fatal(diff)
	}
	if got, want := titles(t, c.Workspace), "EP-0000001=title of EP-0000001-A1;EP-0000002=title of EP-0000002-A1;EP-0000003=title of EP-0000003-A1;WO-1981000106=title of WO-1981000106-A1;"; got != want {
		t.Errorf("patents %s", got)
	}
	first := contents(t, c.Workspace)

	skipped := want
	skipped.Skipped = true
	if diff := cmp.Diff(skipped, mustRun(t, c), ignoreSize); diff != "" {
		t.Errorf("second merge: %s", diff)
	}

	// One patent is new, one document changes, one is deleted, and an older version arrives late.
	produced := schemas.Date(100)
	addDocuments(t, c.Workspace, "b",
		document("EP-0000003-A1", 10, func(d *schemas.Document) { d.TitleEN = "changed"; d.DateProduced = &produced }),
		document("EP-0000002-A1", 11, func(d *schemas.Document) { d.Status = "deleted" }),
		document("EP-0000003-A1", 12, func(d *schemas.Document) { d.TitleEN = "late, but of no date" }),
		document("EP-0000004-A1", 13),
	)
	want = Result{DocumentFiles: 2, NewFiles: 1, DocumentRows: 9, Superseded: 3, Deleted: 1, Documents: 5, Patents: 4, Touched: 2, Gone: 1, FilesWritten: 1, FilesKept: 1}
	if diff := cmp.Diff(want, mustRun(t, c), ignoreSize); diff != "" {
		t.Error(diff)
	}
	if got, want := titles(t, c.Workspace), "EP-0000001=title of EP-0000001-A1;EP-0000003=changed;EP-0000004=title of EP-0000004-A1;WO-1981000106=title of WO-1981000106-A1;"; got != want {
		t.Errorf("patents %s", got)
	}
	if kept := "patents-W.parquet"; contents(t, c.Workspace)[kept] != first[kept] || first[kept] == "" {
		t.Errorf("%s was not kept; files are %v", kept, fileNames(first))
	}
	if _, err := os.Stat(filepath.Join(c.Workspace.Temp(), stage)); !os.IsNotExist(err) {
		t.Errorf("the temporary folder is left: %v", err)
	}

	// A full merge gives the same files.
	before := contents(t, c.Workspace)
	c.Force = true
	if r := mustRun(t, c); !r.Full || r.FilesKept != 0 {
		t.Errorf("forced merge: %+v", r)
	}
	if diff := cmp.Diff(before, contents(t, c.Workspace)); diff != "" {
		t.Error(diff)
	}
}

func fileNames(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func TestManifestListsFiles(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0))
	mustRun(t, c)
	s := loadState(c.Workspace.Table("patents"))
	if len(s.Inputs) != 1 || s.Inputs[0].Path != "documents/a.parquet" || s.Stage != "merge" || s.Schema != "patents/1" {
		t.Errorf("manifest %+v", s.Manifest)
	}
	if len(s.Files) != 1 || s.Files[0].Name != "patents.parquet" || s.Files[0].Patents != 1 || len(s.Files[0].SHA256) != 64 {
		t.Errorf("files %+v", s.Files)
	}
	latest, err := manifest.Load(c.Workspace.Manifests(), "merge", "")
	if err != nil || !latest.Finished.Equal(s.Finished) {
		t.Errorf("manifest of the stage: %v", err)
	}
	// Killed between the swap and the stage's manifest: the next merge writes it.
	if err := os.RemoveAll(c.Workspace.Manifests()); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, c); !r.Skipped {
		t.Errorf("merged again: %+v", r)
	}
	if latest, err := manifest.Load(c.Workspace.Manifests(), "merge", ""); err != nil || !latest.Finished.Equal(s.Finished) {
		t.Errorf("manifest of the stage: %v", err)
	}
}

// TestFullMergeWhenTheOldIsOfNoUse changes what an incremental merge relies on.
func TestFullMergeWhenTheOldIsOfNoUse(t *testing.T) {
	for name, damage := range map[string]func(w workspace.Dir) error{
		"manifest gone":    func(w workspace.Dir) error { return os.Remove(filepath.Join(w.Table("patents"), manifestName)) },
		"manifest damaged": func(w workspace.Dir) error { return os.Truncate(filepath.Join(w.Table("patents"), manifestName), 100) },
		"patents file gone": func(w workspace.Dir) error {
			return os.Remove(filepath.Join(w.Table("patents"), "patents.parquet"))
		},
		"documents file gone": func(w workspace.Dir) error { return os.Remove(filepath.Join(w.Table("documents"), "b.parquet")) },
	} {
		c := config(t)
		addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0))
		addDocuments(t, c.Workspace, "b")
		mustRun(t, c)
		if err := damage(c.Workspace); err != nil {
			t.Fatal(err)
		}
		if r := mustRun(t, c); !r.Full || r.Skipped || r.Patents != 1 {
			t.Errorf("%s: %+v", name, r)
		}
		if r := mustRun(t, c); !r.Skipped {
			t.Errorf("%s: then %+v", name, r)
		}
	}
}

func TestFileBytesChange(t *testing.T) {
	c := config(t)
	var rows []schemas.Document
	for i := range 40 {
		rows = append(rows, document(fmt.Sprintf("EP-%07d-A1", i*7), int64(i)))
	}
	addDocuments(t, c.Workspace, "a", rows...)
	for _, size := range []settings.Bytes{1 << 20, 500, 60, 2000, 1} {
		c.FileBytes = size
		r := mustRun(t, c)
		if size != 1<<20 && (r.Full || r.Touched != 0) {
			t.Errorf("file-bytes %d: %+v", size, r)
		}
		cut := contents(t, c.Workspace)
		forced := c
		forced.Force = true
		mustRun(t, forced)
		if diff := cmp.Diff(cut, contents(t, c.Workspace)); diff != "" {
			t.Errorf("file-bytes %d: %s", size, diff)
		}
	}
}

func TestEverythingDeleted(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0), document("US-7-B2", 1))
	mustRun(t, c)
	addDocuments(t, c.Workspace, "b",
		document("EP-0000001-A1", 2, func(d *schemas.Document) { d.Status = "d" }),
		document("US-7-B2", 3, func(d *schemas.Document) { d.Status = "DELETED" }))
	if r := mustRun(t, c); r.Patents != 0 || r.Gone != 2 {
		t.Errorf("%+v", r)
	}
	if got := patents(t, c.Workspace); len(got) != 0 {
		t.Errorf("patents %+v", got)
	}
	addDocuments(t, c.Workspace, "c", document("EP-0000001-A1", 4))
	mustRun(t, c)
	if got := titles(t, c.Workspace); got != "EP-0000001=title of EP-0000001-A1;" {
		t.Errorf("patents %s", got)
	}
}

func TestRejected(t *testing.T) {
	c := config(t)
	if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "dssdnet ingest consume") {
		t.Errorf("without documents: %v", err)
	}
	addDocuments(t, c.Workspace, "a")
	if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "dlq list") {
		t.Errorf("with no row: %v", err)
	}
	if _, err := os.Stat(c.Workspace.Table("patents")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}

func TestUsage(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.FileBytes = 0 },
		func(c *Config) { c.MemoryLimit = 1 << 20 },
		func(c *Config) { c.Threads = -1 },
	} {
		c := config(t)
		change(&c)
		if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v", err)
		}
	}
}

func TestDamagedDocuments(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0))
	mustRun(t, c)
	before := contents(t, c.Workspace)
	if err := os.WriteFile(filepath.Join(c.Workspace.Table("documents"), "b.parquet"), []byte("PAR1 no parquet PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "b.parquet cannot be read") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, contents(t, c.Workspace)); diff != "" {
		t.Error(diff)
	}
}

func TestLock(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0))
	lock, err := durable.TryLock(filepath.Join(c.Workspace.Manifests(), "merge.lock"), "process 1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "another merge") || !strings.Contains(err.Error(), "process 1") {
		t.Errorf("error %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustRun(t, c)
}

func TestCancelled(t *testing.T) {
	c := config(t)
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, c); err == nil {
		t.Error("no error")
	}
	mustRun(t, c)
}
