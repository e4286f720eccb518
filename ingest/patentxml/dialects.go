package patentxml

// dialect is how the documents of one root element are read: which elements matter, and what of the reading is its own.
type dialect struct {
	grammar *grammar
	name    func(pro prolog) string         // of schemas.Document; done may change it
	root    func(d *draft, attr attributer) // reads the attributes of the root
	done    func(r *reader)                 // is called after the last element of a document, or of its beginning
}

// attributer returns the value of an attribute of an element, "" when it has none.
type attributer func(name string) string

// dialects has the supported root elements, by local name. Another dialect is a file with its grammar and a line here.
var dialects = map[string]*dialect{
	"patent-document":       &patentDocument,
	"ep-patent-document":    &epPatentDocument,
	"us-patent-grant":       &usPatent,
	"us-patent-application": &usPatent,
}

// documentRoots are the elements that are a document of their own wherever they stand: the Cutter begins a new document
// at each, supported or not, even when the one before was never closed.
var documentRoots = []string{
	"patent-document", "ep-patent-document", "us-patent-grant", "us-patent-application", "patent-application-publication",
	"PATDOC", "pat:PatentPublication",
}
