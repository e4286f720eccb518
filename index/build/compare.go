package build

import (
	"context"
	"slices"

	"dssdnet/index"
	"dssdnet/internal/progress"
)

// fate is what becomes of a patent of the current build.
type fate uint8

const (
	gone fate = iota // in no file any more
	same
	changed
)

// comparison is patents/ against the current build.
type comparison struct {
	old   *index.Index
	fates []fate        // by ordinal of old
	files []*sourceFile // those in which a patent may be new or changed
	// mistaken is set when the build lacks a patent of a file that it was made of: nothing it says can be relied on.
	mistaken bool

	added, changed, deleted, unchanged int64
}

// compare reads what may have changed and finds out what has. Of files that old was made of it reads only the ids.
func compare(ctx context.Context, s *source, old *index.Index, task progress.Task) (*comparison, error) {
	c := &comparison{old: old, fates: make([]fate, old.Patents().Len())}
	known := old.Manifest().Inputs
	var order idOrder
	var hash hasher
	for _, sf := range s.files {
		order.file(sf.path)
		var err error
		if slices.ContainsFunc(known, sf.Same) {
			err = sf.ids(func(id string) error {
				ordinal, ok := old.Patents().Find(id)
				if ok {
					c.fates[ordinal] = same
					c.unchanged++
				}
				c.mistaken = c.mistaken || !ok
				return step(ctx, task, order.next(id))
			})
		} else {
			c.files = append(c.files, sf)
			err = s.each(sf, func(p *patent) error {
				c.judge(p.id, hash.content(p))
				return step(ctx, task, order.next(p.id))
			})
		}
		if err != nil {
			return nil, err
		}
	}
	for _, f := range c.fates {
		if f == gone {
			c.deleted++
		}
	}
	return c, order.check()
}

func (c *comparison) judge(id string, content index.Content) {
	ordinal, ok := c.old.Patents().Find(id)
	switch {
	case !ok:
		c.added++
	case c.old.Patents().Content(ordinal) == content:
		c.fates[ordinal] = same
		c.unchanged++
	default:
		c.fates[ordinal] = changed
		c.changed++
	}
}

// news is whether a patent has to be indexed.
func (c *comparison) news(id string) bool {
	ordinal, ok := c.old.Patents().Find(id)
	return !ok || c.fates[ordinal] == changed
}

// edits is how many patents an increment has to touch.
func (c *comparison) edits() int64 { return c.added + c.changed + c.deleted }

// replaced are the ids of the patents that an increment deletes, some to be added again.
func (c *comparison) replaced() []string {
	var ids []string
	for ordinal, f := range c.fates {
		if f != same {
			ids = append(ids, c.old.Patents().ID(uint32(ordinal)))
		}
	}
	return ids
}

// step counts one patent and passes err on; it ends the reading when ctx has ended.
func step(ctx context.Context, task progress.Task, err error) error {
	task.Add(1)
	if err == nil {
		err = ctx.Err()
	}
	return err
}
