package build

import (
	"cmp"
	"slices"

	"dssdnet/internal/fault"
)

// idOrder checks that the files of patents/ are what the merge stage writes: ids ascend within a file, and no two
// files share a range. A patent that stands twice would be counted twice in every statistic.
type idOrder struct{ ranges []idRange }

type idRange struct{ path, first, last string }

// file begins a file.
func (o *idOrder) file(path string) { o.ranges = append(o.ranges, idRange{path: path}) }

// next takes the id of the next row of the file.
func (o *idOrder) next(id string) error {
	r := &o.ranges[len(o.ranges)-1]
	switch {
	case id == "":
		return fault.New(fault.Rejected, "%s has a row without patent id: make it again (dssdnet ingest merge --force)", r.path)
	case r.first == "":
		r.first = id
	case id <= r.last:
		return fault.New(fault.Rejected, "%s has patent %s after %s, ids must ascend: make it again (dssdnet ingest merge --force)", r.path, id, r.last)
	}
	r.last = id
	return nil
}

// check compares the files with each other.
func (o *idOrder) check() error {
	slices.SortFunc(o.ranges, func(a, b idRange) int { return cmp.Compare(a.first, b.first) })
	last := idRange{}
	for _, r := range o.ranges {
		if r.first == "" {
			continue // a file without rows
		}
		if r.first <= last.last {
			return fault.New(fault.Rejected, "%s has patents up to %s and %s has patents from %s on, a patent belongs into one file: make them again (dssdnet ingest merge --force)",
				last.path, last.last, r.path, r.first)
		}
		last = r
	}
	return nil
}
