package rerank

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/schemas/arrowfile"
)

// candidate is a row of a group.
type candidate struct {
	patent string
	domain int8
	rank   int32 // in the pool
}

// group is a topic with its pool, in pool order.
type group struct {
	number int // in the order of the files, from 0
	topic  string
	rows   []candidate
}

// groups are the files of the test groups.
type groups struct{ paths []string }

func findGroups(dir string) (groups, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "test-*.arrow"))
	if err != nil {
		return groups{}, err
	}
	if len(paths) == 0 {
		return groups{}, fault.New(fault.Rejected, "there are no test groups (test-*.arrow) in %s: run dssdnet sample with a topic set of the test split", dir)
	}
	slices.Sort(paths)
	return groups{paths}, nil
}

// each calls visit with every group, in order. The group is visit's to keep.
func (g groups) each(ctx context.Context, visit func(*group) error) error {
	next := 0
	for _, path := range g.paths {
		err := eachBatch(ctx, path, arrowfile.Groups, func() func([]arrowfile.Judged, bool) error {
			var current *group
			return func(rows []arrowfile.Judged, last bool) error {
				for i := range rows {
					if current == nil || current.topic != rows[i].TopicID {
						if current != nil {
							if err := visit(current); err != nil {
								return err
							}
						}
						current = &group{number: next, topic: strings.Clone(rows[i].TopicID)}
						next++
					}
					current.rows = append(current.rows, candidate{strings.Clone(rows[i].DocID), rows[i].Domain, rows[i].PoolRank})
				}
				if last && current != nil {
					return visit(current)
				}
				return nil
			}
		}())
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBatch calls visit with the rows of every record batch of a file; they are valid until it returns. last is said of
// the last one, which may be empty.
func eachBatch[R any](ctx context.Context, path string, table arrowfile.Table[R], visit func(rows []R, last bool) error) error {
	r, err := arrowfile.Open(path, table)
	if err != nil {
		return fault.New(fault.Rejected, "%w: run dssdnet sample --force", err)
	}
	defer func() { _ = r.Close() }()
	var rows []R
	for batch := range r.Batches() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if rows, err = r.Read(batch, rows); err != nil {
			return fault.New(fault.Rejected, "%w: run dssdnet sample --force", err)
		}
		if err := visit(rows, false); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return visit(nil, true)
}
