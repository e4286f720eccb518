package chain

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

var source = Source{ClusterID: "c1", Topic: "patents.xml", Partition: 2}

func folder(t *testing.T) *Folder[schemas.Pool] {
	t.Helper()
	return NewFolder[schemas.Pool](filepath.Join(t.TempDir(), "pool"), schemas.Pools)
}

// publish adds a file that covers [first, last] with one row an offset.
func publish(t *testing.T, f *Folder[schemas.Pool], s Source, first, last int64) error {
	t.Helper()
	w, err := f.Create(s, first)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, first, last)
	_, err = w.Publish(End{Last: last, LastTime: time.UnixMilli(last)})
	return err
}

func write(t *testing.T, w *Writer[schemas.Pool], first, last int64) {
	t.Helper()
	for o := first; o <= last; o++ {
		if err := w.Write([]schemas.Pool{{TopicID: "t", Rank: int32(o)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// offsets returns the rows of a chain in order.
func offsets(t *testing.T, f *Folder[schemas.Pool], s Source) []int32 {
	t.Helper()
	names, err := List(f.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var all []int32
	for _, n := range names {
		if n.Topic != s.Topic || n.Partition != s.Partition {
			continue
		}
		data, err := os.ReadFile(n.Path(f.Dir()))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := schemas.ReadAll[schemas.Pool](schemas.Pools, strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			all = append(all, r.Rank)
		}
	}
	return all
}

func unfinished(t *testing.T, f *Folder[schemas.Pool]) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(f.Dir(), tempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func recoverAt(t *testing.T, f *Folder[schemas.Pool], s Source, want Position) {
	t.Helper()
	got, err := f.Recover(s)
	if err != nil {
		t.Fatal(err)
	}
	if !got.LastTime.Equal(want.LastTime) || got.Next != want.Next || got.Files != want.Files {
		t.Errorf("position %+v, want %+v", got, want)
	}
}

func TestNames(t *testing.T) {
	for _, n := range []Name{{"patents.xml", 2, 12345}, {"a-b", 0, 0}, {"x-00001", 123456, 1<<63 - 1}} {
		if got, ok := ParseName(n.String()); !ok || got != n {
			t.Errorf("ParseName(%q) = %+v, %v", n, got, ok)
		}
	}
	if got := (Name{"patents.xml", 2, 12345}).String(); got != "patents.xml-00002-00000000000000012345.parquet" {
		t.Errorf("name %s", got)
	}
	for _, bad := range []string{"", ".tmp-123-patents.xml-00002-00000000000000012345.parquet", "patents.xml-2-5.parquet", "patents.xml-00002-00000000000000012345.parquet.tmp",
		".parquet", "-00002-00000000000000012345.parquet", "a-00002-99999999999999999999.parquet", "a-000002-00000000000000012345.parquet"} {
		if got, ok := ParseName(bad); ok {
			t.Errorf("ParseName(%q) = %+v", bad, got)
		}
	}
}

func TestChainGrows(t *testing.T) {
	f := folder(t)
	recoverAt(t, f, source, Position{})
	other := Source{"c1", "patents.xml", 3}
	for _, span := range [][2]int64{{0, 4}, {5, 5}, {6, 9}} {
		if err := publish(t, f, source, span[0], span[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := publish(t, f, other, 0, 0); err != nil {
		t.Fatal(err)
	}
	want := Position{Next: 10, LastTime: time.UnixMilli(9), Files: 3}
	recoverAt(t, f, source, want)
	recoverAt(t, NewFolder[schemas.Pool](f.Dir(), schemas.Pools), source, want)
	recoverAt(t, f, other, Position{Next: 1, LastTime: time.UnixMilli(0), Files: 1})
	recoverAt(t, f, Source{"c1", "patents", 2}, Position{})
	if got := unfinished(t, f); got != 0 {
		t.Errorf("%d unfinished files", got)
	}
}

func TestFileWithoutRows(t *testing.T) {
	f := folder(t)
	w, err := f.Create(source, 0)
	if err != nil {
		t.Fatal(err)
	}
	size, err := w.Publish(End{Last: 7, Metadata: map[string]string{"kafka.dead_letters": "8"}})
	if err != nil || size == 0 {
		t.Fatalf("size %d, error %v", size, err)
	}
	recoverAt(t, f, source, Position{Next: 8, Files: 1})
	footer, err := ReadFooter(Name{"patents.xml", 2, 0}.Path(f.Dir()), schemas.Pools)
	if diff := cmp.Diff(Footer{ClusterID: "c1", Last: 7, Metadata: map[string]string{"kafka.dead_letters": "8"}}, footer); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestSecondOwnerLoses(t *testing.T) {
	f := folder(t)
	zombie, err := f.Create(source, 0)
	if err != nil {
		t.Fatal(err)
	}
	write(t, zombie, 0, 6)
	if zombie.Exists() {
		t.Error("exists before it was published")
	}
	if err := publish(t, f, source, 0, 3); err != nil {
		t.Fatal(err)
	}
	if !zombie.Exists() {
		t.Error("the other owner's file is not seen")
	}
	if _, err := zombie.Publish(End{Last: 6}); !errors.Is(err, ErrTaken) {
		t.Fatalf("error %v, want ErrTaken", err)
	}
	recoverAt(t, f, source, Position{Next: 4, LastTime: time.UnixMilli(3), Files: 1})
	if got := unfinished(t, f); got != 0 {
		t.Errorf("%d unfinished files", got)
	}
}

// Three owners of one partition, none knowing of the others, make one chain without a hole or an overlap.
func TestOwnersWithoutFence(t *testing.T) {
	f := folder(t)
	const records = 300
	var owners sync.WaitGroup
	for range 3 {
		owners.Go(func() {
			own := NewFolder[schemas.Pool](f.Dir(), schemas.Pools)
			for {
				at, err := own.Recover(source)
				if err != nil {
					t.Error(err)
					return
				}
				if at.Next >= records {
					return
				}
				last := min(at.Next+rand.Int64N(5), records-1)
				if err := publish(t, own, source, at.Next, last); err != nil && !errors.Is(err, ErrTaken) {
					t.Error(err)
					return
				}
			}
		})
	}
	owners.Wait()
	var want []int32
	for o := range int32(records) {
		want = append(want, o)
	}
	if got := offsets(t, f, source); !slices.Equal(got, want) {
		t.Errorf("rows %v", got)
	}
}

func TestBrokenChains(t *testing.T) {
	for name, tc := range map[string]struct {
		damage func(t *testing.T, f *Folder[schemas.Pool])
		want   []string
	}{
		"missing": {func(t *testing.T, f *Folder[schemas.Pool]) { remove(t, f, 5) },
			[]string{"00000000000000000010.parquet: the file with the offsets 5 to 9 is missing"}},
		"first missing": {func(t *testing.T, f *Folder[schemas.Pool]) { remove(t, f, 0) },
			[]string{"00000000000000000005.parquet: the file with the offsets 0 to 4 is missing"}},
		"overlap": {func(t *testing.T, f *Folder[schemas.Pool]) {
			if err := publish(t, f, source, 7, 8); err != nil {
				t.Fatal(err)
			}
		}, []string{"00000000000000000007.parquet: it begins inside the file before it, which reaches to offset 9"}},
		"empty file": {func(t *testing.T, f *Folder[schemas.Pool]) { damage(t, f, 5, func([]byte) []byte { return nil }) },
			[]string{"00000000000000000005.parquet cannot be read", "restore the file"}},
		"cut off": {func(t *testing.T, f *Folder[schemas.Pool]) {
			damage(t, f, 5, func(b []byte) []byte { return b[:len(b)/2] })
		}, []string{"00000000000000000005.parquet cannot be read"}},
		"other table": {func(t *testing.T, f *Folder[schemas.Pool]) {
			remove(t, f, 5)
			qrels := NewFolder[schemas.Qrel](f.Dir(), schemas.Qrels)
			w, err := qrels.Create(source, 5)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Publish(End{Last: 9}); err != nil {
				t.Fatal(err)
			}
		}, []string{"00000000000000000005.parquet: not a pools file"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder(t)
			for _, span := range [][2]int64{{0, 4}, {5, 9}, {10, 14}} {
				if err := publish(t, f, source, span[0], span[1]); err != nil {
					t.Fatal(err)
				}
			}
			tc.damage(t, f)
			_, err := f.Recover(source)
			for _, want := range tc.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("error %v, want %q", err, want)
				}
			}
		})
	}
}

func remove(t *testing.T, f *Folder[schemas.Pool], first int64) {
	t.Helper()
	if err := os.Remove(Name{source.Topic, source.Partition, first}.Path(f.Dir())); err != nil {
		t.Fatal(err)
	}
}

func damage(t *testing.T, f *Folder[schemas.Pool], first int64, change func([]byte) []byte) {
	t.Helper()
	path := Name{source.Topic, source.Partition, first}.Path(f.Dir())
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// No single damaged byte of a footer may end the process.
func TestDamagedFooterIsAnError(t *testing.T) {
	f := folder(t)
	if err := publish(t, f, source, 0, 4); err != nil {
		t.Fatal(err)
	}
	path := Name{source.Topic, source.Partition, 0}.Path(f.Dir())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(whole) - 1; i >= max(0, len(whole)-3000); i-- {
		data := slices.Clone(whole)
		data[i] ^= byte(1 + i%255)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = ReadFooter(path, schemas.Pools) // an error or not, but no panic
	}
}

func TestOtherCluster(t *testing.T) {
	f := folder(t)
	if err := publish(t, f, source, 0, 4); err != nil {
		t.Fatal(err)
	}
	_, err := f.Recover(Source{"c2", source.Topic, source.Partition})
	if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), `id "c1"`) || !strings.Contains(err.Error(), `id "c2"`) {
		t.Errorf("error %v", err)
	}
}

func TestTopicMadeAgain(t *testing.T) {
	f := folder(t)
	if err := publish(t, f, source, 0, 4); err != nil {
		t.Fatal(err)
	}
	at, err := f.Recover(source)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Check(source, at, cluster.Span{First: 0, End: 5}); err != nil {
		t.Error(err)
	}
	err = f.Check(source, at, cluster.Span{First: 0, End: 3})
	if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "ends at offset 2, but") || !strings.Contains(err.Error(), "up to offset 4") {
		t.Errorf("error %v", err)
	}
}

func TestSweepLeavesTheLiving(t *testing.T) {
	f := folder(t)
	w, err := f.Create(source, 0)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, 0, 1)
	orphan := filepath.Join(f.Dir(), tempPrefix+"1-"+Name{"patents.xml", 1, 0}.String())
	if err := os.WriteFile(orphan, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Sweep(); err != nil {
		t.Fatal(err)
	}
	if got := unfinished(t, f); got != 1 {
		t.Errorf("%d unfinished files, want the one that is being written", got)
	}
	if _, err := w.Publish(End{Last: 1}); err != nil {
		t.Fatal(err)
	}
	recoverAt(t, f, source, Position{Next: 2, Files: 1})
	if err := folder(t).Sweep(); err != nil {
		t.Errorf("sweep of a folder that does not exist: %v", err)
	}
}

// A sweep at any moment takes no file from a writer.
func TestSweepWhileWriting(t *testing.T) {
	f := folder(t)
	stop := make(chan struct{})
	var sweeper sync.WaitGroup
	sweeper.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if err := f.Sweep(); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for o := range int64(200) {
		if err := publish(t, f, source, o, o); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	sweeper.Wait()
	recoverAt(t, f, source, Position{Next: 200, LastTime: time.UnixMilli(199), Files: 200})
}

func TestDiscardLeavesNothing(t *testing.T) {
	f := folder(t)
	w, err := f.Create(source, 0)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, 0, 3)
	w.Discard()
	if got := unfinished(t, f); got != 0 {
		t.Errorf("%d unfinished files", got)
	}
	recoverAt(t, f, source, Position{})
}
