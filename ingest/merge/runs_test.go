package merge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSortedRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(rapid.Uint64().Draw(rt, "dir")))
		rs, err := newRuns(dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer rs.close()
		defer os.RemoveAll(dir)
		s, err := newSorter(rs, rapid.Int64Range(1, 3*blockBytes).Draw(rt, "buffer"))
		if err != nil {
			rt.Fatal(err)
		}
		var want []string
		for i := range rapid.IntRange(0, 60).Draw(rt, "records") {
			p := &part{
				PatentID: fmt.Sprintf("EP-%d", rapid.IntRange(1, 20).Draw(rt, "id")), UCID: fmt.Sprint(i),
				ClaimsEN: strings.Repeat("x", rapid.SampledFrom([]int{0, 10, blockBytes / 2, blockBytes * 2}).Draw(rt, "length")),
			}
			want = append(want, p.PatentID+" "+p.UCID)
			if err := s.add(p); err != nil {
				rt.Fatal(err)
			}
		}
		if err := s.flush(); err != nil {
			rt.Fatal(err)
		}
		if err := s.close(); err != nil {
			rt.Fatal(err)
		}
		if _, err := rs.reduce(rapid.IntRange(2, 8).Draw(rt, "fan-in")); err != nil {
			rt.Fatal(err)
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != len(rs.list) {
			rt.Fatalf("%d files for %d runs, %v", len(left), len(rs.list), err)
		}
		bounds := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"EP-1", "EP-12", "EP-2", "EP-5", "EP-99"}), 0, 5, rapid.ID[string]).Draw(rt, "bounds")
		slices.Sort(bounds)
		bounds = append(append([]string{""}, bounds...), "")
		var got []string
		for i := range bounds[1:] {
			last := ""
			err := each(rs.list, bounds[i], bounds[i+1], func(id string, payload []byte) error {
				var p part
				if err := p.decode(id, payload); err != nil {
					return err
				}
				if id < last || id < bounds[i] {
					return fmt.Errorf("%s comes after %s", id, last)
				}
				last = id
				got = append(got, id+" "+p.UCID)
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestDamagedRun(t *testing.T) {
	rs, err := newRuns(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer rs.close()
	err = sorted(rs, 1<<20, func(s *sorter) error { return s.add(&part{PatentID: "EP-1", UCID: "EP-1-A1"}) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rs.list[0].file.WriteAt([]byte("damage"), 0); err != nil {
		t.Fatal(err)
	}
	err = each(rs.list, "", "", func(string, []byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "run-000001 is damaged") {
		t.Errorf("error %v", err)
	}
}
