package eval

import (
	"hash/maphash"
	"slices"
)

// library knows which patents there are, by a hash of 8 bytes each: 2.6 million patents take 21 MB, and that an id which
// is not there counts as there is less likely than a broken disk.
type library struct {
	seed   maphash.Seed
	hashes []uint64
}

func newLibrary() *library { return &library{seed: maphash.MakeSeed()} }

func (l *library) add(id string) { l.hashes = append(l.hashes, maphash.String(l.seed, id)) }

func (l *library) sort() { slices.Sort(l.hashes) }

// empty reports whether the workspace has no patents: then nothing is known.
func (l *library) empty() bool { return len(l.hashes) == 0 }

func (l *library) has(id string) bool {
	_, ok := slices.BinarySearch(l.hashes, maphash.String(l.seed, id))
	return ok
}
