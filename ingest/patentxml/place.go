package patentxml

// place is what an element means to the reader. The same name means different things under different parents (a date, a
// main-classification), so places are found by path and never by name alone; a [grammar] says how. Dialects share the
// places, and with them what the reader does there. The order matters: places of classifications, of citations, of parties
// and of texts stand together, and [reader.leave] tells them apart by that.
type place uint8

const (
	nowhere place = iota // the element and all below it are passed over
	inside               // below a value: its text belongs to the value
	root

	bibliography
	publication
	publicationID
	publicationCountry
	publicationNumber
	publicationKind
	publicationDay
	publicationDate
	application
	applicationID
	applicationDate
	priorityClaims
	priorityClaim
	priorityID
	priorityDate
	relatedDocuments
	relatedDocument

	technicalData
	ipcOld // short symbols of the editions 1 to 7
	ipcEdition
	ipcMain
	ipcFurther
	ipcGroup
	ipcrList
	ipcr      // a symbol with the tail of ST.8
	ipcrParts // a symbol with an element for each part
	cpcList
	cpc
	cpcParts
	codeSection
	codeClass
	codeSubclass
	codeMainGroup
	codeSubgroup
	codeVersion
	codeVersionDate
	codeLevel
	codePosition
	codeValue
	codeSource
	titles
	titleLanguage // of the title that follows

	citationLists
	patentCitations
	patcit        // a cited document
	citation      // what holds a patcit, or a cited book
	citedPatcit   // the patcit in it
	citedInReport // like citation, in a search report
	citedInText   // like citation, in the list of what the description cites
	citedID
	citedCountry
	citedNumber
	citedKind
	citationSources
	citationSource
	citationPassage
	citationCategory
	citedBy      // "cited by examiner"
	citedDoc     // what holds the whole id as one text
	citedDocText // "EP-A1- 0 123 456"
	searchReport
	referenceList

	allParties
	applicantList
	applicant
	usApplicant
	assigneeList
	assignee
	inventorList
	inventor
	addressBook
	partyName
	partyLastName
	partyFirstName

	titleText
	abstractText
	descriptionText
	claimsText
	withinText

	placeCount
)

type child struct {
	name  string
	place place
}

// grammar lists the children that matter, per place. All others are passed over with everything below them.
type grammar [placeCount][]child

// publicationNumbers is what names the document itself.
var publicationNumbers = []child{
	{"country", publicationCountry},
	{"doc-number", publicationNumber},
	{"kind", publicationKind},
	{"date", publicationDate},
}

// onlyDate is the content of an element of which only the day matters.
func onlyDate(day place) []child { return []child{{"date", day}} }

// splitCode is a classification symbol as ST.36 takes it apart, or as one text.
func splitCode(text place) []child {
	return []child{
		{"text", text},
		{"section", codeSection},
		{"class", codeClass},
		{"subclass", codeSubclass},
		{"main-group", codeMainGroup},
		{"subgroup", codeSubgroup},
		{"ipc-version-indicator", codeVersion},
		{"cpc-version-indicator", codeVersion},
		{"classification-level", codeLevel},
		{"symbol-position", codePosition},
		{"classification-value", codeValue},
		{"classification-data-source", codeSource},
	}
}

// documentID is the content of a cited document-id.
var documentID = []child{
	{"country", citedCountry},
	{"doc-number", citedNumber},
	{"kind", citedKind},
}

// isValue tells the places whose text is a short value.
var isValue = [placeCount]bool{
	inside:             true,
	publicationCountry: true, publicationNumber: true, publicationKind: true, publicationDate: true,
	applicationDate: true, priorityDate: true,
	ipcEdition: true, ipcMain: true, ipcFurther: true, ipcr: true, cpc: true,
	codeSection: true, codeClass: true, codeSubclass: true, codeMainGroup: true, codeSubgroup: true,
	codeVersionDate: true, codeLevel: true, codePosition: true, codeValue: true, codeSource: true,
	titleLanguage: true,
	citedCountry:  true, citedNumber: true, citedKind: true, citationCategory: true, citedBy: true, citedDocText: true,
	partyName: true, partyLastName: true, partyFirstName: true,
}

// isText tells the places whose text becomes a column.
func isText(p place) bool { return p >= titleText }

// placeOf returns the place of a child element, nowhere when it doesn't matter.
func (g *grammar) placeOf(parent place, name []byte) place {
	for _, c := range g[parent] {
		if string(name) == c.name {
			return c.place
		}
	}
	return nowhere
}
