package patentxml

import "strings"

const dialectEPO = "epo-st36" // the EPO's application of WIPO ST.36, DTD v1.0 to v1.5.1

// sourceOffice is who cites what the specification lists (INID code 56): search and examination, which the list doesn't
// tell apart.
const sourceOffice = sourceSearch + "/" + sourceExaminer

// epPatentDocument reads the root ep-patent-document, the EPO's publications: bibliographic data in B-tags, whose numbers
// are the INID codes of WIPO ST.9. The id attribute of the root is the application's number and is not read.
var epPatentDocument = dialect{
	grammar: &epGrammar,
	name:    func(prolog) string { return dialectEPO },
	root: func(d *draft, attr attributer) {
		d.country = attr("country")
		d.number = attr("doc-number")
		d.kind = attr("kind")
		d.lang = strings.ToLower(attr("lang"))
		d.published = attr("date-publ")
		d.produced = attr("date-produced")
		d.status = attr("status")
	},
	done: func(r *reader) { r.d.ucid = r.d.canonicalUCID() },
}

var epGrammar = grammar{
	root: {
		{"SDOBI", bibliography},
		{"abstract", abstractText},
		{"description", descriptionText},
		{"claims", claimsText},
		{"search-report-data", searchReport},
		{"ep-reference-list", referenceList},
	},
	bibliography: {
		{"B100", publicationID},
		{"B200", application},
		{"B300", priorityClaims},
		{"B500", technicalData},
		{"B700", allParties},
	},
	publicationID: {
		{"B110", publicationNumber},
		{"B130", publicationKind},
		{"B140", publicationDay},
		{"B190", publicationCountry},
	},
	publicationDay: onlyDate(publicationDate),
	application:    {{"B220", applicationID}},
	applicationID:  onlyDate(applicationDate),
	priorityClaims: {{"B320", priorityID}},
	priorityID:     onlyDate(priorityDate),
	technicalData: {
		{"B510", ipcOld},
		{"B510EP", ipcrList},
		{"B520EP", cpcList},
		{"B540", titles},
		{"B560", citationLists},
	},
	ipcOld: {
		{"B516", ipcEdition},
		{"B511", ipcMain},
		{"B512", ipcFurther},
		{"B513", ipcFurther},
		{"B514", ipcFurther},
		{"B515", ipcFurther},
	},
	ipcrList:  {{"classification-ipcr", ipcrParts}},
	ipcrParts: splitCode(ipcr),
	cpcList: {
		{"classifications-cpc", cpcList},
		{"classification-cpc", cpcParts},
	},
	cpcParts:    splitCode(cpc),
	codeVersion: onlyDate(codeVersionDate),
	titles: {
		{"B541", titleLanguage},
		{"B542", titleText},
	},
	citationLists: {{"B561", citedDoc}}, // B562 are books
	citedDoc:      {{"text", citedDocText}},
	searchReport: {
		{"srep-for-pub", searchReport},
		{"srep-citations", searchReport},
		{"citation", citedInReport},
	},
	citedInReport: {
		{"patcit", citedPatcit},
		{"rel-passage", citationPassage},
		{"category", citationCategory},
	},
	citationPassage: {{"category", citationCategory}},
	citedPatcit:     {{"document-id", citedID}},
	citedID:         documentID,
	referenceList: {
		{"p", referenceList},
		{"ul", referenceList},
		{"li", referenceList},
		{"patcit", citedInText},
	},
	citedInText: {{"document-id", citedID}},
	allParties: {
		{"B710", applicantList},
		{"B720", inventorList},
		{"B730", assigneeList},
	},
	applicantList: {{"B711", applicant}},
	inventorList:  {{"B721", inventor}},
	assigneeList:  {{"B731", assignee}},
	applicant:     epName,
	inventor:      epName,
	assignee:      epName,
}

// epName is the content of a party: of persons snm is mostly the whole name.
var epName = []child{
	{"onm", partyName},
	{"snm", partyLastName},
	{"fnm", partyFirstName},
}

// citeText reads a cited document in the EPO's own spelling: EP-A1- 0 123 456, WO-A-95/34526, US-E- R E36 154. What
// follows in parentheses or behind a semicolon is a remark.
func (r *reader) citeText() {
	written := string(clean(r.value))
	text, _, _ := strings.Cut(written, "(")
	text, _, _ = strings.Cut(text, ";")
	country, rest, _ := strings.Cut(text, "-")
	kind, number, _ := strings.Cut(rest, "-")
	ucid := citedUCID(strings.TrimSpace(country), number, strings.TrimSpace(kind))
	if !r.d.citations.add(ucid, sourceOffice, "") {
		r.warn.badCitation(written)
	}
}
