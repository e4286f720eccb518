package merge

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/klauspost/compress/s2"
)

const (
	// blockBytes is how much of a run is compressed, and later held in memory, at a time.
	blockBytes = 128 << 10
	// fanIn is how many runs are merged at a time: each holds a file and, per thread, a block.
	fanIn = 512
)

// run is a file of records sorted by patent id, cut into blocks that are compressed one by one by S2: it takes half
// the space, and with zstd compressing runs would be half the work of a merge. A record is the
// length of the patent id, the id, the length of the payload, the payload.
type run struct {
	file   *os.File
	blocks []block
	bytes  int64
}

// block is where a block of a run lies.
type block struct {
	first  string // patent id of its first record
	offset int64
	length int
}

// find returns the index of the block that the first record with patent id low, or after it, lies in or before.
func (r *run) find(low string) int {
	// The records of one patent can begin in the block before the first that starts with it.
	return max(0, sort.Search(len(r.blocks), func(i int) bool { return r.blocks[i].first >= low })-1)
}

// runs is the output of the sort.
type runs struct {
	dir  string
	mu   sync.Mutex
	list []*run
	made int
}

func newRuns(dir string) (*runs, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder for sorted runs: %w", err)
	}
	return &runs{dir: dir}, nil
}

// create starts a run. It is safe for concurrent use.
func (rs *runs) create() (*runWriter, error) {
	rs.mu.Lock()
	rs.made++
	path := filepath.Join(rs.dir, fmt.Sprintf("run-%06d", rs.made))
	rs.mu.Unlock()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("make a sorted run: %w", err)
	}
	return &runWriter{run: &run{file: f}}, nil
}

func (rs *runs) add(r *run) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.list = append(rs.list, r)
}

// bytes is the size of all runs.
func (rs *runs) bytes() int64 {
	var n int64
	for _, r := range rs.list {
		n += r.bytes
	}
	return n
}

// reduce merges the smallest runs until at most limit are left, and returns how many bytes it wrote for that.
func (rs *runs) reduce(limit int) (int64, error) {
	var written int64
	for len(rs.list) > limit {
		slices.SortFunc(rs.list, func(a, b *run) int { return int(min(1, max(-1, a.bytes-b.bytes))) })
		n := min(limit, len(rs.list)-limit+1)
		small := rs.list[:n]
		w, err := rs.create()
		if err != nil {
			return written, err
		}
		err = each(small, "", "", w.add)
		if err == nil {
			err = w.flush()
		}
		if err != nil {
			_ = w.run.file.Close()
			return written, err
		}
		for _, r := range small {
			_ = r.file.Close()
			if err := os.Remove(r.file.Name()); err != nil {
				return written, err
			}
		}
		written += w.run.bytes
		rs.list = append(slices.Clone(rs.list[n:]), w.run)
	}
	return written, nil
}

func (rs *runs) close() {
	for _, r := range rs.list {
		_ = r.file.Close()
	}
	rs.list = nil
}

// runWriter writes one run. Records come in order.
type runWriter struct {
	run    *run
	raw    []byte
	first  string
	packed []byte
}

func (w *runWriter) add(patentID string, payload []byte) error {
	if len(w.raw) == 0 {
		w.first = strings.Clone(patentID)
	}
	w.raw = appendString(w.raw, patentID)
	w.raw = append(binary.AppendUvarint(w.raw, uint64(len(payload))), payload...)
	if len(w.raw) < blockBytes {
		return nil
	}
	return w.flush()
}

// flush writes what is left of the last block.
func (w *runWriter) flush() error {
	if len(w.raw) == 0 {
		return nil
	}
	w.packed = s2.Encode(w.packed[:cap(w.packed)], w.raw)
	w.raw = w.raw[:0]
	if _, err := w.run.file.Write(w.packed); err != nil {
		return fmt.Errorf("write a sorted run: %w", err)
	}
	w.run.blocks = append(w.run.blocks, block{first: w.first, offset: w.run.bytes, length: len(w.packed)})
	w.run.bytes += int64(len(w.packed))
	return nil
}
