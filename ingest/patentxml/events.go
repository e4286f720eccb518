package patentxml

// events receives what a tokenizer reads from one document, in document order. The tokenizer has checked that elements
// nest; names come without their prefix, references are resolved, comments and processing instructions are gone. A text
// may come in any number of pieces. All slices are valid only during the call.
type events interface {
	start(name []byte, attrs attributes)
	end()
	text(b []byte)
}

// attribute has its name as written, with the prefix, and its value with references resolved.
type attribute struct{ name, value []byte }

type attributes []attribute

// get returns the value of an attribute, nil when it is absent.
func (a attributes) get(name string) []byte {
	for i := range a {
		if string(a[i].name) == name {
			return a[i].value
		}
	}
	return nil
}
