package merge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func cut(limit int64, sizes map[string]int64) []fileRange {
	l := newLayout(limit)
	ids := make([]string, 0, len(sizes))
	for id := range sizes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		l.add(id, sizes[id], false)
	}
	return l.ranges()
}

func describe(ranges []fileRange) string {
	var b strings.Builder
	for _, r := range ranges {
		fmt.Fprintf(&b, "%s..%s %d/%d, ", r.First, r.Last, r.Patents, r.TextBytes)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

func TestLayout(t *testing.T) {
	sizes := map[string]int64{"EP-11": 10, "EP-12": 10, "EP-2": 10, "EP-31": 10, "EP-3": 10, "US-7": 10}
	for limit, want := range map[int64]string{
		100: ".. 6/60",
		60:  ".. 6/60",
		50:  "E..E 5/50, U..U 1/10",
		// E is too big and is cut; U stands alone, for its neighbours are parts of a node.
		30: "EP-1..EP-2 3/30, EP-3..EP-3 2/20, U..U 1/10",
		20: "EP-1..EP-1 2/20, EP-2..EP-2 1/10, EP-3..EP-3 2/20, U..U 1/10",
		10: "EP-11..EP-11 1/10, EP-12..EP-12 1/10, EP-2..EP-2 1/10, EP-3..EP-3 1/10, EP-31..EP-31 1/10, U..U 1/10",
		// One patent can be more than a file may hold.
		5: "EP-11..EP-11 1/10, EP-12..EP-12 1/10, EP-2..EP-2 1/10, EP-3..EP-3 1/10, EP-31..EP-31 1/10, US-7..US-7 1/10",
	} {
		if got := describe(cut(limit, sizes)); got != want {
			t.Errorf("limit %d:\n got %s\nwant %s", limit, got, want)
		}
	}
	if got := describe(cut(10, nil)); got != ".. 0/0" {
		t.Errorf("without patents: %s", got)
	}
}

func TestLayoutProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`(EP|US|WO)-D?[0-3]{1,4}`)
		sizes := rapid.MapOf(id, rapid.Int64Range(0, 20)).Draw(t, "sizes")
		limit := rapid.Int64Range(1, 100).Draw(t, "limit")
		ranges := cut(limit, sizes)
		patents, bytes, names := make([]int64, len(ranges)), make([]int64, len(ranges)), map[string]bool{}
		for id, size := range sizes {
			i := locate(ranges, id)
			patents[i]++
			bytes[i] += size
			if id < ranges[i].First || id > ranges[i].Last+"\xff" {
				t.Fatalf("%s lies in %+v", id, ranges[i])
			}
		}
		for i, r := range ranges {
			names[r.name()] = true
			if r.Patents != patents[i] || r.TextBytes != bytes[i] {
				t.Fatalf("%+v holds %d patents of %d bytes", r, patents[i], bytes[i])
			}
			if r.TextBytes > limit && r.Patents > 1 {
				t.Fatalf("%+v is above the limit of %d", r, limit)
			}
		}
		if len(names) != len(ranges) {
			t.Fatalf("%d names for %d ranges", len(names), len(ranges))
		}
	})
}

func TestFileName(t *testing.T) {
	for first, want := range map[string]string{
		"": "patents.parquet", "EP-01": "patents-EP-01.parquet", "EP-../x%": "patents-EP-%2E%2E%2F%78%25.parquet",
	} {
		if got := (fileRange{First: first}).name(); got != want {
			t.Errorf("%q is named %s", first, got)
		}
	}
}
