package consume

import (
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"strconv"

	"dssdnet/schemas"
)

// version is one row of documents/ as far as it matters for telling whether a record says something new.
type version struct {
	key   uint64 // hash of the ucid, never 0
	hash  uint64 // beginning of the SHA-256 of the content
	order uint64 // the newest version of a document has the highest
}

// Two documents with one key, once in 10^5 tables of 10^7 documents, count as versions of one: their contents differ, so
// neither is taken for unchanged, and a row more may be written when they are published again.
var keySeed = maphash.MakeSeed()

func keyOf(ucid string) uint64 { return max(1, maphash.String(keySeed, ucid)) }

// versionOf describes a row with these columns. timestamp is in microseconds since 1970.
func versionOf(ucid string, produced *schemas.Date, timestamp int64, sha256 string) version {
	return version{key: keyOf(ucid), hash: hashOf(sha256), order: orderOf(produced, timestamp)}
}

func hashOf(sha256 string) uint64 {
	if len(sha256) >= 16 {
		if h, err := strconv.ParseUint(sha256[:16], 16, 64); err == nil {
			return h
		}
	}
	return maphash.String(keySeed, sha256)
}

// orderOf is date_produced, then the time of the record. A document that names no day is older than any that does.
// Topic, partition and offset, which decide between equal ones, are the order in which versions are added.
func orderOf(produced *schemas.Date, timestamp int64) uint64 {
	const timeBits = 44 // milliseconds up to the year 2527
	ms := min(uint64(max(timestamp, 0))/1000, 1<<timeBits-1)
	if produced == nil {
		return ms
	}
	const epoch = 1 << 19 // days; the field has 20 bits, which is from the year 534 to 3405
	day := min(max(int64(*produced)+epoch, 1), 1<<20-1)
	return uint64(day)<<timeBits | ms
}

const versionSize = 24 // bytes in memory and on disk

// table holds the newest version of each key in memory. It is 64 hash tables with linear probing, so that growing
// takes little extra memory.
type table struct {
	shards [64]shard
	slots  int
}

type shard struct {
	slots []version // key 0 is an empty one
	used  int
}

func (t *table) bytes() int64 { return int64(t.slots) * versionSize }

func (t *table) get(key uint64) (version, bool) {
	s := &t.shards[key>>58]
	if len(s.slots) == 0 {
		return version{}, false
	}
	v := *s.find(key)
	return v, v.key != 0
}

// put adds a version unless a newer one is there. Of equals the last one put stays.
func (t *table) put(v version) {
	s := &t.shards[v.key>>58]
	if (s.used+1)*5 > len(s.slots)*4 {
		before := len(s.slots)
		s.grow()
		t.slots += len(s.slots) - before
	}
	slot := s.find(v.key)
	if slot.key == 0 {
		s.used++
	} else if slot.order > v.order {
		return
	}
	*slot = v
}

// find returns the slot that has the key, or the empty one where it belongs.
func (s *shard) find(key uint64) *version {
	at, _ := bits.Mul64(key<<6, uint64(len(s.slots)))
	for i := int(at); ; i++ {
		if i == len(s.slots) {
			i = 0
		}
		if k := s.slots[i].key; k == key || k == 0 {
			return &s.slots[i]
		}
	}
}

func (s *shard) grow() {
	old := s.slots
	s.slots = make([]version, max(16, len(old)+len(old)/2))
	for _, v := range old {
		if v.key != 0 {
			*s.find(v.key) = v
		}
	}
}

// sorted calls visit with all versions by key, and leaves the table empty.
func (t *table) sorted(visit func(version) error) error {
	for i := range t.shards {
		vs := slices.DeleteFunc(t.shards[i].slots, func(v version) bool { return v.key == 0 })
		slices.SortFunc(vs, func(a, b version) int {
			if a.key < b.key {
				return -1
			}
			return 1
		})
		for _, v := range vs {
			if err := visit(v); err != nil {
				return fmt.Errorf("spill versions of documents: %w", err)
			}
		}
		t.shards[i] = shard{}
	}
	t.slots = 0
	return nil
}
