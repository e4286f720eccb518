package patentxml

import "strings"

// Dialects of the root patent-document, as they stand in schemas.Document.
const (
	dialectCLEFIP = "clef-ip" // Matrixware's DTD v1.2 and v1.4
	dialectMAREC  = "marec"   // the same DTD from the Information Retrieval Facility
	dialectIFI    = "ifi"     // IFI CLAIMS: no DOCTYPE, CPC, elements of its own
)

// patentDocument reads the root patent-document: CLEF-IP, MAREC and IFI CLAIMS.
var patentDocument = dialect{
	grammar: &patentDocumentGrammar,
	name: func(pro prolog) string {
		if strings.Contains(pro.systemID, "ir-facility.org") {
			return dialectMAREC
		}
		return dialectCLEFIP
	},
	root: func(d *draft, attr attributer) {
		d.ucid = attr("ucid")
		d.country = attr("country")
		d.number = attr("doc-number")
		d.kind = attr("kind")
		d.lang = strings.ToLower(attr("lang"))
		d.published = attr("date")
		d.produced = attr("date-produced")
		d.family = attr("family-id")
		d.status = attr("status")
	},
	done: func(r *reader) {
		if r.ifi {
			r.d.dialect = dialectIFI
		}
		r.d.publicationUCID = r.published.ucid
	},
}

var patentDocumentGrammar = grammar{
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
	publication:    {{"document-id", publicationID}},
	publicationID:  publicationNumbers,
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
	citedID:         documentID,
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
