package index

// DF is the number of patents that have a term in a field. Unlike Postings it decodes and keeps nothing.
func (ix *Index) DF(field int, term string) (int64, error) {
	d := ix.decoders.Get().(*decoder)
	defer ix.decoders.Put(d)
	return d.count(ix, field, term)
}
