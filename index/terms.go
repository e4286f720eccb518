package index

import "iter"

// Terms are the distinct terms of a field, ascending, from the dictionaries of all segments. Among them can be terms
// that only patents had which an increment has deleted.
func (ix *Index) Terms(field int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		terms, err := ix.snapshot.DictionaryIterator(ix.fields[field].Name, nil, nil, nil)
		if err != nil {
			yield("", err)
			return
		}
		for {
			entry, err := terms.Next()
			switch {
			case err != nil:
				yield("", err)
				return
			case entry == nil:
				return
			}
			if !yield(entry.Term(), nil) {
				return
			}
		}
	}
}
