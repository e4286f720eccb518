package merge

import (
	"container/heap"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
)

// cursor walks the records of one run from a patent id on.
type cursor struct {
	run  *run
	next int // block to read when left is used up
	raw  []byte
	left reader // what of raw is still to come
	// packed is scratch that all cursors of one goroutine share.
	packed *[]byte

	patentID string
	payload  []byte // valid until the next advance
}

// advance moves to the next record; io.EOF ends the run.
func (c *cursor) advance() error {
	if len(c.left.data) == 0 {
		if err := c.load(); err != nil {
			return err
		}
	}
	c.patentID, c.payload = c.left.string(), c.left.bytes()
	if c.left.failed {
		return c.damaged(errors.New("a record does not fit its block"))
	}
	return nil
}

func (c *cursor) load() error {
	if c.next == len(c.run.blocks) {
		return io.EOF
	}
	b := c.run.blocks[c.next]
	c.next++
	*c.packed = slices.Grow((*c.packed)[:0], b.length)[:b.length]
	if _, err := c.run.file.ReadAt(*c.packed, b.offset); err != nil {
		return fmt.Errorf("read a sorted run: %w", err)
	}
	var err error
	if c.raw, err = s2.Decode(c.raw[:cap(c.raw)], *c.packed); err != nil {
		return c.damaged(err)
	}
	c.left = reader{data: c.raw}
	return nil
}

func (c *cursor) damaged(err error) error {
	return fmt.Errorf("%s is damaged: %w: check the disk, then merge again", c.run.file.Name(), err)
}

// cursors is a heap of the runs by the patent they stand at.
type cursors []*cursor

func (h cursors) Len() int           { return len(h) }
func (h cursors) Less(i, j int) bool { return h[i].patentID < h[j].patentID }
func (h cursors) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *cursors) Push(x any)        { *h = append(*h, x.(*cursor)) }
func (h *cursors) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}

// open sets a cursor on each run that has a record with a patent id from low (inclusive) on.
func open(list []*run, low string) (*cursors, error) {
	h, packed := &cursors{}, new([]byte)
	for _, r := range list {
		c := &cursor{run: r, packed: packed, next: r.find(low)}
		err := c.advance()
		for err == nil && c.patentID < low {
			err = c.advance()
		}
		if err == nil {
			*h = append(*h, c)
		} else if !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	heap.Init(h)
	return h, nil
}

// step moves the run at the top on.
func (h *cursors) step() error {
	err := (*h)[0].advance()
	switch {
	case err == nil:
		heap.Fix(h, 0)
	case errors.Is(err, io.EOF):
		heap.Pop(h)
	default:
		return err
	}
	return nil
}

// each visits the records of all runs with patent ids in [low, high) in order; high "" is the end. The payload is
// valid during the visit.
func each(list []*run, low, high string, visit func(patentID string, payload []byte) error) error {
	h, err := open(list, low)
	if err != nil {
		return err
	}
	for h.Len() > 0 {
		c := (*h)[0]
		if high != "" && c.patentID >= high {
			return nil
		}
		if err := visit(c.patentID, c.payload); err != nil {
			return err
		}
		if err := h.step(); err != nil {
			return err
		}
	}
	return nil
}
