package patentxml

// dialect reads the events of one document into the parser's draft.
type dialect interface {
	events
	// done is called after the last event of a document that was read to its end.
	done()
}

// dialects has one reader for each supported root element, by local name. Another dialect is a file with its reader and
// a line here.
var dialects = map[string]func(*Parser, prolog) dialect{
	"patent-document": newPatentDocument,
}

// documentRoots are the elements that are a document of their own wherever they stand: the Cutter begins a new document
// at each, supported or not, even when the one before was never closed.
var documentRoots = []string{
	"patent-document", "ep-patent-document", "us-patent-grant", "us-patent-application", "patent-application-publication",
	"PATDOC", "pat:PatentPublication",
}
