package wordpiece

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Pair is two texts that are read together.
type Pair struct{ A, B string }

// Batch is encoded pairs as one matrix of Rows x Length, row-major and padded at the right. It is as long as its
// longest pair.
type Batch struct {
	Rows, Length int
	IDs          []int64 // tokens
	Types        []int64 // 0 in [CLS] A [SEP], 1 in B [SEP], 0 in the padding
	Mask         []uint8 // 1 at tokens, 0 at padding
	Lengths      []int   // tokens of each row
}

// specials is [CLS] A [SEP] B [SEP] without A and B.
const specials = 3

// AppendPair appends [CLS] A [SEP] B [SEP], cut to maxTokens, and returns the position at which B starts.
func (t *Tokenizer) AppendPair(ids []int32, p Pair, maxTokens int) (all []int32, second int) {
	start := len(ids)
	ids = append(ids, t.cls)
	a := len(ids)
	ids = t.Append(ids, p.A)
	na := len(ids) - a
	ids = t.Append(ids, p.B)
	nb := len(ids) - a - na
	ka, kb := truncate(na, nb, max(0, maxTokens-specials))
	b := a + ka + 1 // where B goes: one to the right when A was not cut
	ids = append(ids, t.sep, t.sep)
	copy(ids[b:], ids[a+na:a+na+kb])
	ids[b-1], ids[b+kb] = t.sep, t.sep
	return ids[:b+kb+1], b - start
}

// truncate is longest-first as the Rust library computes it: the longer text gives up tokens until it is as long as
// the other; then both do, and an odd room leaves the one more to the longer.
func truncate(a, b, room int) (int, int) {
	if a+b <= room {
		return a, b
	}
	short := min(a, b)
	long := max(short, room-short)
	if short+long > room {
		short = room / 2
		long = short + room%2
	}
	if a > b {
		return long, short
	}
	return short, long
}

// Pairs encodes pairs with several goroutines; 0 workers are as many as there are processors. The order is that of
// the pairs, whatever the workers do.
func (t *Tokenizer) Pairs(pairs []Pair, maxTokens, workers int) Batch {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([][]int32, len(pairs))
	seconds := make([]int, len(pairs))
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(pairs) {
				return
			}
			rows[i], seconds[i] = t.AppendPair(make([]int32, 0, 2*maxTokens), pairs[i], maxTokens)
		}
	}
	var group sync.WaitGroup
	for range min(workers, len(pairs)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	return t.pack(rows, seconds)
}

func (t *Tokenizer) pack(rows [][]int32, seconds []int) Batch {
	b := Batch{Rows: len(rows), Lengths: make([]int, len(rows))}
	for i, row := range rows {
		b.Lengths[i] = len(row)
		b.Length = max(b.Length, len(row))
	}
	n := b.Rows * b.Length
	b.IDs, b.Types, b.Mask = make([]int64, n), make([]int64, n), make([]uint8, n)
	for i, row := range rows {
		at := i * b.Length
		for j, id := range row {
			b.IDs[at+j] = int64(id)
			b.Mask[at+j] = 1
			if j >= seconds[i] {
				b.Types[at+j] = 1
			}
		}
		for j := len(row); j < b.Length; j++ {
			b.IDs[at+j] = int64(t.pad)
		}
	}
	return b
}
