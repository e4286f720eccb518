package build

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dssdnet/index"
	"dssdnet/index/analysis"
	"dssdnet/index/indextest"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestIncrementIsABuildFromNothing(t *testing.T) {
	before := indextest.Small.Make()
	after := edited(before)

	grown := newWorkspace(t, before, 300)
	mustRun(t, grown, few)
	indextest.WritePatents(t, grown, after, 300)
	increment := mustRun(t, grown, few)
	if !increment.Increment || increment.Added != 7 || increment.Changed != 4 || increment.Deleted != 2 ||
		increment.Unchanged != int64(len(before)-6) {
		t.Fatalf("the increment was %+v", increment)
	}
	fresh := newWorkspace(t, after, 1000)
	whole := mustRun(t, fresh, few)
	if whole.Increment || increment.Segments <= whole.Segments {
		t.Errorf("%d segments after the increment, %d of a build from nothing (%+v)", increment.Segments, whole.Segments, whole)
	}
	if increment.Build != whole.Build {
		t.Errorf("an increment made build %s, a build from nothing %s", increment.Build, whole.Build)
	}
	a, b := openIndex(t, grown), openIndex(t, fresh)
	sameIndex(t, a, b)
	if diff := cmp.Diff(whole.Fields, increment.Fields); diff != "" {
		t.Errorf("statistics (-whole +increment):\n%s", diff)
	}
}

// edited is the collection with 7 patents added, 4 changed in different ways and 2 deleted.
func edited(before []schemas.Patent) []schemas.Patent {
	after := slices.Clone(before)
	after[10].Title += " xnewword"
	after[20].FamilyID = "999"
	after[30].IPCSubclasses = []string{"Z99Z"}
	day := schemas.Date(7)
	after[40].PublicationDate = &day
	after = slices.Delete(after, 50, 52)
	more := indextest.Shape{Patents: 7, Vocabulary: 3000, Length: 40, Seed: 2}.Make()
	for i := range more {
		more[i].PatentID = after[100*i].PatentID + "5" // between others
	}
	after = append(after, more...)
	slices.SortFunc(after, func(a, b schemas.Patent) int { return strings.Compare(a.PatentID, b.PatentID) })
	return after
}

func TestNothingNewIsSkipped(t *testing.T) {
	patents := indextest.Small.Make()
	ws := newWorkspace(t, patents, 300)
	first := mustRun(t, ws, nil)
	again := mustRun(t, ws, nil)
	if !again.Skipped || again.Build != first.Build || again.Unchanged != int64(len(patents)) {
		t.Errorf("the second run was %+v", again)
	}
	indextest.WritePatents(t, ws, patents, 200) // other files, the same patents
	rewritten := mustRun(t, ws, nil)
	if !rewritten.Skipped || rewritten.Build != first.Build {
		t.Errorf("the run over rewritten files was %+v", rewritten)
	}
	forced := mustRun(t, ws, func(c *Config) { c.Force = true })
	if forced.Skipped || forced.Build != first.Build {
		t.Errorf("the forced run was %+v", forced)
	}
}

func TestWhenIncrementsEnd(t *testing.T) {
	patents := indextest.Small.Make()
	tests := map[string]struct {
		edit func(*Config)
		want string
	}{
		"share":    {func(c *Config) { c.MaxDeltaShare = 0.001 }, "--max-delta-share"},
		"number":   {func(c *Config) { c.MaxDeltas = 0 }, "--max-deltas"},
		"analyzer": {func(c *Config) { c.Analyzer = analysis.Words }, "analyzer was en-porter2/1"},
		"fields":   {func(c *Config) { c.Fields = []string{"text=title+abstract", "claims=claims"} }, "fields were"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ws := newWorkspace(t, patents, 300)
			mustRun(t, ws, nil)
			indextest.WritePatents(t, ws, edited(patents), 300)
			result := mustRun(t, ws, test.edit)
			if result.Increment || !strings.Contains(result.Why, test.want) {
				t.Errorf("the run was %+v, want a build from nothing because of %q", result, test.want)
			}
		})
	}
}

func TestIncrementsAddUp(t *testing.T) {
	patents := indextest.Small.Make()
	ws := newWorkspace(t, patents[:600], 100)
	mustRun(t, ws, nil)
	for n := 610; n <= 700; n += 10 {
		indextest.WritePatents(t, ws, patents[n-600:n], 100) // 10 more at the end, 10 fewer at the beginning
		if result := mustRun(t, ws, func(c *Config) { c.MaxDeltaShare = 1 }); !result.Increment {
			t.Fatalf("with %d patents: %+v", n, result)
		}
	}
	fresh := newWorkspace(t, patents[100:], 1000)
	mustRun(t, fresh, nil)
	sameIndex(t, openIndex(t, ws), openIndex(t, fresh))
}

func TestOldBuildsAreKeptAndRemoved(t *testing.T) {
	patents := indextest.Small.Make()
	ws := newWorkspace(t, patents[:100], 1000)
	var names []string
	for n := 100; n < 105; n++ {
		indextest.WritePatents(t, ws, patents[:n], 1000)
		names = append(names, mustRun(t, ws, nil).Build)
	}
	left, err := index.Builds(ws.Table("index"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(left)
	want := slices.Sorted(slices.Values(names[2:]))
	if !slices.Equal(left, want) {
		t.Errorf("builds %v are left, want the last three %v", left, want)
	}
	old, err := index.Open(t.Context(), filepath.Join(ws.Table("index"), names[2]), index.Options{})
	if err != nil {
		t.Fatalf("a build that later ones share segments with: %v", err)
	}
	if err := old.Close(); err != nil {
		t.Error(err)
	}
}

func TestWorkersAndMemoryLeaveNoTrace(t *testing.T) {
	ws := newWorkspace(t, indextest.Small.Make(), 170)
	one := mustRun(t, ws, func(c *Config) { c.Workers = 1 })
	a := openIndex(t, ws)
	four := mustRun(t, ws, func(c *Config) { c.Workers, c.BuildBytes, c.Force = 4, 16<<20, true })
	if one.Segments != 1 || four.Segments < 3 || one.Build != four.Build {
		t.Errorf("one worker: %+v\nfour: %+v", one, four)
	}
	sameIndex(t, a, openIndex(t, ws))
}

func TestDamagedBuildIsBuiltAgain(t *testing.T) {
	patents := indextest.Small.Make()
	ws := newWorkspace(t, patents, 300)
	first := mustRun(t, ws, nil)
	flip(t, ws, first.Build)
	indextest.WritePatents(t, ws, edited(patents), 300)
	result := mustRun(t, ws, nil)
	if result.Increment || !strings.Contains(result.Why, "is damaged") {
		t.Errorf("the run was %+v", result)
	}
	openIndex(t, ws)
}

// flip changes one bit in the middle of a segment.
func flip(t *testing.T, ws workspace.Dir, build string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(ws.Table("index"), build, "*.seg"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(paths[0], data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRefusedInput(t *testing.T) {
	patents := indextest.Small.Make()[:20]
	unordered := slices.Clone(patents)
	unordered[3], unordered[4] = unordered[4], unordered[3]
	tests := map[string]struct {
		write func(ws workspace.Dir)
		want  string
	}{
		"no folder": {func(workspace.Dir) {}, "run dssdnet ingest merge first"},
		"empty":     {func(ws workspace.Dir) { indextest.WritePatents(t, ws, nil, 10) }, "run dssdnet ingest merge first"},
		"order":     {func(ws workspace.Dir) { indextest.WritePatents(t, ws, unordered, 10) }, "ids must ascend"},
		"overlap": {func(ws workspace.Dir) {
			indextest.WriteTable(t, schemas.Patents, filepath.Join(ws.Table("patents"), "a.parquet"), patents[:12])
			indextest.WriteTable(t, schemas.Patents, filepath.Join(ws.Table("patents"), "b.parquet"), patents[10:])
		}, "a patent belongs into one file"},
		"other table": {func(ws workspace.Dir) {
			indextest.WriteTable(t, schemas.Qrels, filepath.Join(ws.Table("patents"), "a.parquet"), []schemas.Qrel{{}})
		}, "not a patents file"},
		"no Parquet": {func(ws workspace.Dir) {
			if err := durable.WriteFile(filepath.Join(ws.Table("patents"), "a.parquet"), []byte("PAR1 nonsense")); err != nil {
				t.Fatal(err)
			}
		}, "cannot be read"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ws := workspace.Dir(t.TempDir())
			test.write(ws)
			c := Default()
			c.Workspace = ws
			_, err := Run(t.Context(), c)
			if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v, want one of kind Rejected with %q", err, test.want)
			}
			if builds, _ := index.Builds(ws.Table("index")); len(builds) > 0 {
				t.Errorf("builds %v were made", builds)
			}
		})
	}
}

func TestTwoRunsExcludeEachOther(t *testing.T) {
	ws := newWorkspace(t, indextest.Small.Make()[:10], 10)
	lock, err := durable.TryLock(filepath.Join(ws.Table("index"), ".lock"), "process 4711")
	if err != nil {
		t.Fatal(err)
	}
	c := Default()
	c.Workspace = ws
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "process 4711") {
		t.Errorf("the error is %v, want one that names the other process", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustRun(t, ws, nil)
}

func TestEndedContextLeavesTheCurrentBuild(t *testing.T) {
	patents := indextest.Small.Make()
	ws := newWorkspace(t, patents, 300)
	first := mustRun(t, ws, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := Default()
	c.Workspace, c.Force = ws, true
	if _, err := Run(ctx, c); err == nil {
		t.Fatal("a run with an ended context succeeded")
	}
	if name := openIndex(t, ws).Name(); name != first.Build {
		t.Errorf("the current build is %s, want %s", name, first.Build)
	}
	if left, _ := filepath.Glob(filepath.Join(ws.Table("index"), ".tmp-*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestValidate(t *testing.T) {
	for name, edit := range map[string]func(*Config){
		"analyzer": func(c *Config) { c.Analyzer = "en-porter2" },
		"column":   func(c *Config) { c.Fields = []string{"text=titel"} },
		"field":    func(c *Config) { c.Fields = nil },
		"twice":    func(c *Config) { c.Fields = []string{"text=title", "text=abstract"} },
		"reserved": func(c *Config) { c.Fields = []string{"_id=title"} },
		"bytes":    func(c *Config) { c.BuildBytes = 1 },
		"share":    func(c *Config) { c.MaxDeltaShare = 2 },
		"keep":     func(c *Config) { c.Keep = -1 },
		"workers":  func(c *Config) { c.Workers = -1 },
	} {
		c := Default()
		edit(&c)
		if err := c.Validate(); fault.KindOf(err) != fault.Usage {
			t.Errorf("%s: the error is %v, want one of kind Usage", name, err)
		}
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

// few makes several small segments.
func few(c *Config) { c.Workers, c.BuildBytes = 2, 16<<20 }

func newWorkspace(t *testing.T, patents []schemas.Patent, perFile int) workspace.Dir {
	t.Helper()
	ws := workspace.Dir(t.TempDir())
	indextest.WritePatents(t, ws, patents, perFile)
	time.Sleep(5 * time.Millisecond) // so that a file written later has another time
	return ws
}

func mustRun(t *testing.T, ws workspace.Dir, edit func(*Config)) Result {
	t.Helper()
	c := Default()
	c.Workspace = ws
	if edit != nil {
		edit(&c)
	}
	result, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func openIndex(t *testing.T, ws workspace.Dir) *index.Index {
	t.Helper()
	dir, err := index.Current(ws.Table("index"))
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.Open(t.Context(), dir, index.Options{CacheBytes: 1 << 20, Contents: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// sameIndex compares everything that readers see.
func sameIndex(t *testing.T, a, b *index.Index) {
	t.Helper()
	if a.Patents().Len() != b.Patents().Len() {
		t.Fatalf("%d and %d patents", a.Patents().Len(), b.Patents().Len())
	}
	for i := range uint32(a.Patents().Len()) {
		id := a.Patents().ID(i)
		dayA, okA := a.Patents().Published(i)
		dayB, okB := b.Patents().Published(i)
		if id != b.Patents().ID(i) || dayA != dayB || okA != okB || a.Patents().Content(i) != b.Patents().Content(i) ||
			!slices.Equal(a.Patents().Subclasses(i), b.Patents().Subclasses(i)) {
			t.Fatalf("patent %d, %s and %s, differs", i, id, b.Patents().ID(i))
		}
	}
	if diff := cmp.Diff(a.Fields(), b.Fields()); diff != "" {
		t.Fatalf("fields:\n%s", diff)
	}
	terms := 0
	for term, err := range a.Terms(0) {
		if err != nil {
			t.Fatal(err)
		}
		pa, err := a.Postings(0, term)
		if err != nil {
			t.Fatal(err)
		}
		pb, err := b.Postings(0, term)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(pa, pb, cmpopts.IgnoreUnexported(index.Postings{})); diff != "" {
			t.Fatalf("postings of %q:\n%s", term, diff)
		}
		terms++
	}
	if terms < 500 {
		t.Fatalf("only %d terms were compared", terms)
	}
}
