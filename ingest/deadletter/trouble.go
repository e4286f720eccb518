package deadletter

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
)

// trouble identifies what is wrong with one document: letters with the same trouble are the same content, refused
// for the same reason, however often it was published.
type trouble [16]byte

func troubleOf(l Letter) trouble {
	if l.SHA256 != "" {
		return digest(l.Stage, l.Class, l.SHA256)
	}
	return digest(l.Stage, l.Class, l.Path, l.Range)
}

// contentOf identifies what Replay would send, whatever the reason it was refused for.
func contentOf(l Letter) trouble {
	return digest(l.Topic, string(l.Key), l.SHA256)
}

func digest(parts ...string) (t trouble) {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, int64(len(p)))
		h.Write([]byte(p))
	}
	copy(t[:], h.Sum(nil))
	return t
}

// recent remembers a bounded number of keys. When it is full it forgets all of them.
type recent[K comparable] struct {
	keys   map[K]struct{}
	max    int
	forgot bool // it was full once
}

func newRecent[K comparable](limit int) *recent[K] {
	return &recent[K]{keys: make(map[K]struct{}), max: limit}
}

// seen reports whether key is remembered, and remembers it.
func (r *recent[K]) seen(key K) bool {
	if _, ok := r.keys[key]; ok {
		return true
	}
	if len(r.keys) >= r.max {
		clear(r.keys)
		r.forgot = true
	}
	r.keys[key] = struct{}{}
	return false
}

var seed = maphash.MakeSeed()

// occurrence identifies the failed record, so that a letter written twice by a stage that was killed counts once.
func occurrence(l Letter) uint64 {
	return maphash.String(seed, fmt.Sprintf("%s\x00%d\x00%d\x00%s", l.Topic, l.Partition, l.Offset, l.Class))
}
