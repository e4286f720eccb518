package patentxml

// draft is what a dialect reads out of one document: ids as written, texts in the order of the file. It is the same for
// every dialect; row makes the schemas.Document of it.
type draft struct {
	dialect string

	// Of this publication, never of the application. publicationUCID stands in for an unreadable ucid.
	ucid, publicationUCID, country, number, kind string

	lang, family, status       string
	produced, published, filed string   // dates as written
	priorities                 []string // dates of the priority claims as written

	passages  []passage
	ipc, cpc  classifications
	citations citations

	applicants, assignees, inventors parties
	personApplicants                 parties // stand for the applicants where those and the assignees are missing
}

// section names a kind of text; the values are those of schemas.OtherText.
type section string

const (
	title       section = "title"
	abstract    section = "abstract"
	claims      section = "claims"
	description section = "description"
)

// passage is one text block of the document.
type passage struct {
	section  section
	declared string // language as written on the block or, when it has none, on the root; lower case
	source   string // load-source: who delivered the text
	text     string // never ""
	cut      bool   // a cap ended it
}

func (d *draft) reset() {
	*d = draft{
		priorities: d.priorities[:0],
		passages:   d.passages[:0],
		ipc:        d.ipc.empty(),
		cpc:        d.cpc.empty(),
		citations:  d.citations.empty(),
		applicants: d.applicants.empty(),
		assignees:  d.assignees.empty(),
		inventors:  d.inventors.empty(),

		personApplicants: d.personApplicants.empty(),
	}
}
