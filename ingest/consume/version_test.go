package consume

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"dssdnet/schemas"
)

func TestOrderOfVersions(t *testing.T) {
	day := func(d schemas.Date) *schemas.Date { return &d }
	ascending := []uint64{
		orderOf(nil, -1), orderOf(nil, 1_000), orderOf(nil, 1_700_000_000_000_000), orderOf(day(-800_000), 0), orderOf(day(-5), 7_000_000),
		orderOf(day(10), 1_000), orderOf(day(10), 2_000), orderOf(day(11), 0), orderOf(day(2_000_000), 0),
	}
	for i := 1; i < len(ascending); i++ {
		if ascending[i-1] >= ascending[i] {
			t.Errorf("order %d: %x is not before %x", i, ascending[i-1], ascending[i])
		}
	}
}

func TestHashOfContent(t *testing.T) {
	a := "00000000000000ff" + "0000000000000000"
	if got := hashOf(a); got != 0xff {
		t.Errorf("hash %x", got)
	}
	for _, odd := range []string{"", "short", "no hexadecimal number"} {
		if hashOf(odd) == hashOf(odd+"x") {
			t.Errorf("%q and %[1]qx have one hash", odd)
		}
	}
}

// versions of any memory agree with a map.
func TestVersionsAreAMap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		memory := rapid.SampledFrom([]int64{1, 64 * 16 * versionSize, 1 << 30}).Draw(t, "memory")
		v := newVersions(dir, filepath.Join(dir, "tmp"), memory)
		defer v.close()
		want := map[uint64]version{}
		steps := rapid.IntRange(1, 60).Draw(t, "steps")
		for range steps {
			n := version{
				// Keys that lie close together, and at both ends.
				key:   rapid.OneOf(rapid.Uint64Range(1, 40), rapid.Uint64Range(1<<63, 1<<63+40), rapid.Uint64Min(1<<64-40)).Draw(t, "key"),
				hash:  rapid.Uint64().Draw(t, "hash"),
				order: rapid.Uint64Range(0, 5).Draw(t, "order"),
			}
			if err := v.add(n); err != nil {
				t.Fatal(err)
			}
			if old, ok := want[n.key]; !ok || n.order >= old.order {
				want[n.key] = n
			}
		}
		for key, w := range want {
			if got, ok, err := v.newest(key); !ok || err != nil || got != w {
				t.Fatalf("newest(%x) = %+v, %v, %v; want %+v", key, got, ok, err, w)
			}
		}
		for _, absent := range []uint64{50, 1<<63 - 1, 1 << 62} {
			if got, ok, err := v.newest(absent); ok || err != nil {
				t.Fatalf("newest(%x) = %+v, %v", absent, got, err)
			}
		}
	})
	left, err := os.ReadDir(filepath.Join(dir, "tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestSpillOfManyBlocks(t *testing.T) {
	v := newVersions(t.TempDir(), t.TempDir(), 1000*versionSize)
	defer v.close()
	const n = 20_000
	key := func(i int) uint64 { return keyOf(ucid(i)) }
	for round := range 2 {
		for i := range n {
			if err := v.add(version{key(i), uint64(i), uint64(round)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if v.spilled == nil || v.spilled.count < n/2 || v.table.bytes() > 2000*versionSize {
		t.Fatalf("spilled %+v, %d bytes in memory", v.spilled, v.table.bytes())
	}
	for i := range n {
		if got, ok, err := v.newest(key(i)); got != (version{key(i), uint64(i), 1}) || !ok || err != nil {
			t.Fatalf("document %d: %+v, %v, %v", i, got, ok, err)
		}
		if got, ok, err := v.newest(key(n + i)); ok || err != nil {
			t.Fatalf("document %d is not there: %+v, %v", n+i, got, err)
		}
	}
}

func TestMemoryOfVersions(t *testing.T) {
	var all table
	const n = 200_000
	for i := range n {
		all.put(version{key: keyOf(ucid(i))})
	}
	if each := float64(all.bytes()) / n; each > 46 {
		t.Errorf("%.0f bytes a document", each)
	}
}

func BenchmarkNewest(b *testing.B) {
	for name, memory := range map[string]int64{"memory": 1 << 30, "file": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			v := newVersions(b.TempDir(), b.TempDir(), memory)
			defer v.close()
			const n = 1_000_000
			each := make([]version, n)
			for i := range each {
				each[i] = version{key: keyOf(ucid(i))}
			}
			if err := v.add(each...); err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				if _, _, err := v.newest(cmp.Or(each[i%n].key^uint64(i&1), 1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
