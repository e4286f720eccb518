package sampler

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// Every random decision is a function of the seed, a purpose and the ids that it is about: never of the order in
// which topics are met, of the worker, or of what else is in the run. SHA-256 makes keys of them. A decision about one
// (topic, patent) is a [priority]; a sequence of draws of one topic is a [stream], the ChaCha8 generator of
// math/rand/v2 (C2SP chacha8rand, whose output is specified) under such a key.

// The purposes keep the numbers of different decisions apart.
const (
	forSplit   = "split"   // (family): train or validation
	forThin    = "thin"    // (topic, patent): which positives domain-balanced keeps
	forMix     = "mix"     // (topic): which strategy draws which negative
	forShuffle = "shuffle" // (topic, patent): place of a positive and its negatives in the files
)

func keyOf(seed int64, purpose string, ids ...string) [sha256.Size]byte {
	buf := binary.LittleEndian.AppendUint64(make([]byte, 0, 96), uint64(seed))
	buf = append(append(buf, purpose...), 0)
	for _, id := range ids {
		buf = append(binary.AppendUvarint(buf, uint64(len(id))), id...)
	}
	return sha256.Sum256(buf)
}

// priority is a uniform 64-bit number. Taking the k lowest of a set is a uniform draw without replacement that keeps
// its members when the set grows, as far as newcomers do not push them out.
func priority(seed int64, purpose string, ids ...string) uint64 {
	key := keyOf(seed, purpose, ids...)
	return binary.LittleEndian.Uint64(key[:])
}

// share is a uniform number from [0, 1).
func share(seed int64, purpose string, ids ...string) float64 {
	return float64(priority(seed, purpose, ids...)>>11) / (1 << 53)
}

// stream is the sequence of random numbers of one topic for one purpose.
type stream struct{ source *rand.ChaCha8 }

func newStream(seed int64, purpose, topic string) stream {
	return stream{rand.NewChaCha8(keyOf(seed, purpose, topic))}
}

// below is uniform from 0 to n-1, without the bias of a remainder: the product of a random number and n is cut into n
// parts of equal size, and what falls into the rest beside them is drawn again (Lemire 2019).
func (s stream) below(n int) int {
	high, low := bits.Mul64(s.source.Uint64(), uint64(n))
	for rest := -uint64(n) % uint64(n); low < rest; {
		high, low = bits.Mul64(s.source.Uint64(), uint64(n))
	}
	return int(high)
}
