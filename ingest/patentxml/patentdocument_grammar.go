package patentxml

// place is where an element stands in a patent-document. The same name means different things in different places (a
// date, a main-classification), so places are found by path and never by name alone.
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
	publicationDate
	application
	applicationID
	applicationDate
	priorityClaims
	priorityClaim
	priorityID
	priorityDate

	technicalData
	ipcOld // classification-ipc: short symbols of the editions 1 to 7
	ipcEdition
	ipcMain
	ipcFurther
	ipcGroup
	ipcrList
	ipcr
	cpcList
	cpc

	citationLists
	patentCitations
	patcit
	citedID
	citedCountry
	citedNumber
	citedKind
	citationSources
	citationSource
	citationPassage
	citationCategory

	allParties
	applicantList
	applicant
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
)

type child struct {
	name  string
	place place
}

// onlyDate is the content of a document-id of which only the day matters.
func onlyDate(day place) []child { return []child{{"date", day}} }

// grammar lists the children that matter, per place. All others are passed over with everything below them.
var grammar = [withinText + 1][]child{
	root: {
		{"bibliographic-data", bibliography},
		{"abstract", abstractText},
		{"description", descriptionText},
		{"claims", claimsText},
	},
	bibliography: {
		{"publication-reference", publication},
		{"application-reference", application},
		{"priority-claims", priorityClaims},
		{"technical-data", technicalData},
		{"parties", allParties},
	},
	publication: {{"document-id", publicationID}},
	publicationID: {
		{"country", publicationCountry},
		{"doc-number", publicationNumber},
		{"kind", publicationKind},
		{"date", publicationDate},
	},
	application:    {{"document-id", applicationID}},
	applicationID:  onlyDate(applicationDate),
	priorityClaims: {{"priority-claim", priorityClaim}},
	priorityClaim:  {{"document-id", priorityID}},
	priorityID:     onlyDate(priorityDate),
	technicalData: {
		{"classifications-ipcr", ipcrList},
		{"classifications-cpc", cpcList},
		{"classification-ipc", ipcOld},
		{"invention-title", titleText},
		{"citations", citationLists},
	},
	ipcOld: {
		{"edition", ipcEdition},
		{"main-classification", ipcMain},
		{"further-classification", ipcFurther},
		{"additional-info", ipcFurther},
		{"unlinked-indexing-code", ipcFurther},
		{"linked-indexing-code-group", ipcGroup},
	},
	ipcGroup: {
		{"main-linked-indexing-code", ipcFurther},
		{"sub-linked-indexing-code", ipcFurther},
	},
	ipcrList:        {{"classification-ipcr", ipcr}},
	cpcList:         {{"classification-cpc", cpc}},
	citationLists:   {{"patent-citations", patentCitations}},
	patentCitations: {{"patcit", patcit}},
	patcit: {
		{"document-id", citedID},
		{"sources", citationSources},
		{"rel-passage", citationPassage},
		{"category", citationCategory},
	},
	citedID: {
		{"country", citedCountry},
		{"doc-number", citedNumber},
		{"kind", citedKind},
	},
	citationSources: {{"source", citationSource}},
	citationPassage: {{"category", citationCategory}},
	allParties: {
		{"applicants", applicantList},
		{"inventors", inventorList},
		{"assignees", assigneeList},
	},
	applicantList: {{"applicant", applicant}},
	assigneeList:  {{"assignee", assignee}},
	inventorList:  {{"inventor", inventor}},
	applicant:     {{"addressbook", addressBook}},
	assignee:      {{"addressbook", addressBook}},
	inventor:      {{"addressbook", addressBook}},
	addressBook: {
		{"name", partyName},
		{"orgname", partyName},
		{"last-name", partyLastName},
		{"first-name", partyFirstName},
	},
}

// isValue tells the places whose text is a short value.
var isValue = [withinText + 1]bool{
	inside:             true,
	publicationCountry: true, publicationNumber: true, publicationKind: true, publicationDate: true,
	applicationDate: true, priorityDate: true,
	ipcEdition: true, ipcMain: true, ipcFurther: true, ipcr: true, cpc: true,
	citedCountry: true, citedNumber: true, citedKind: true, citationCategory: true,
	partyName: true, partyLastName: true, partyFirstName: true,
}

// isText tells the places whose text becomes a column.
func isText(p place) bool { return p >= titleText }

// placeOf returns the place of a child element, nowhere when it doesn't matter.
func placeOf(parent place, name []byte) place {
	for _, c := range grammar[parent] {
		if string(name) == c.name {
			return c.place
		}
	}
	return nowhere
}
