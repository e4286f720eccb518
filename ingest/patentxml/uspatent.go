package patentxml

import "strings"

const dialectUSPTO = "uspto-v4" // the USPTO's application of WIPO ST.36, DTD v4.0 (2005) to v4.5 and later

// usPatent reads the roots us-patent-grant and us-patent-application: the USPTO's publications since 2005. The number of
// the publication stands only in the publication-reference; the root's status is that of the USPTO's production.
var usPatent = dialect{
	grammar: &usGrammar,
	name:    func(prolog) string { return dialectUSPTO },
	root: func(d *draft, attr attributer) {
		d.country = attr("country")
		d.lang = strings.ToLower(attr("lang"))
		d.published = attr("date-publ")
		d.produced = attr("date-produced")
	},
	done: func(r *reader) { r.d.ucid = r.d.canonicalUCID() },
}

var usGrammar = grammar{
	root: {
		{"us-bibliographic-data-grant", bibliography},
		{"us-bibliographic-data-application", bibliography},
		{"abstract", abstractText},
		{"description", descriptionText},
		{"claims", claimsText},
	},
	bibliography: {
		{"publication-reference", publication},
		{"application-reference", application},
		{"priority-claims", priorityClaims},
		{"classifications-ipcr", ipcrList},
		{"classification-ipc", ipcOld},
		{"classifications-cpc", cpcList},
		{"invention-title", titleText},
		{"us-references-cited", citationLists},
		{"references-cited", citationLists}, // before 2013
		{"us-related-documents", relatedDocuments},
		{"us-parties", allParties},
		{"parties", allParties}, // before 2013
		{"assignees", assigneeList},
	},
	publication:    {{"document-id", publicationID}},
	publicationID:  publicationNumbers,
	application:    {{"document-id", applicationID}},
	applicationID:  onlyDate(applicationDate),
	priorityClaims: {{"priority-claim", priorityID}},
	priorityID:     onlyDate(priorityDate),
	// Claims to earlier applications at home: DOCDB counts them as priorities too.
	relatedDocuments: {
		{"us-provisional-application", priorityClaim},
		{"continuation", relatedDocument},
		{"continuation-in-part", relatedDocument},
		{"continuing-reissue", relatedDocument},
		{"division", relatedDocument},
		{"reissue", relatedDocument},
		{"substitution", relatedDocument},
		{"us-divisional-reissue", relatedDocument},
	},
	relatedDocument: {
		{"relation", relatedDocument},
		{"parent-doc", priorityClaim},
	},
	priorityClaim: {{"document-id", priorityID}},
	ipcrList:      {{"classification-ipcr", ipcrParts}},
	ipcrParts:     splitCode(ipcr),
	ipcOld: {
		{"edition", ipcEdition},
		{"main-classification", ipcMain},
		{"further-classification", ipcFurther},
	},
	cpcList: {
		{"main-cpc", cpcList},
		{"further-cpc", cpcList},
		{"combination-set", cpcList},
		{"combination-rank", cpcList},
		{"classification-cpc", cpcParts},
	},
	cpcParts:    splitCode(cpc),
	codeVersion: onlyDate(codeVersionDate),
	citationLists: {
		{"us-citation", citation},
		{"citation", citation}, // before 2013
	},
	citation: {
		{"patcit", citedPatcit},
		{"category", citedBy},
	},
	citedPatcit: {{"document-id", citedID}},
	citedID:     documentID,
	allParties: {
		{"us-applicants", applicantList},
		{"applicants", applicantList}, // before 2013
		{"inventors", inventorList},
	},
	applicantList: {
		{"us-applicant", usApplicant},
		{"applicant", usApplicant},
	},
	inventorList: {
		{"inventor", inventor},
		{"us-deceased-inventor", inventor},
		{"deceased-inventor", inventor},
	},
	assigneeList: {{"assignee", assignee}},
	usApplicant:  {{"addressbook", addressBook}},
	inventor:     {{"addressbook", addressBook}},
	assignee: append([]child{
		{"addressbook", addressBook},
	}, usName...), // v4.0 has no addressbook here
	addressBook: usName,
}

var usName = []child{
	{"orgname", partyName},
	{"last-name", partyLastName},
	{"first-name", partyFirstName},
}

// citedByWhom is the source of a citation in the words of the USPTO: "cited by examiner", "cited by applicant", "cited by
// other", "cited by third party". The last two have no code and stay words.
func citedByWhom(category string) string {
	by := strings.TrimPrefix(strings.ToLower(category), "cited by ")
	switch by {
	case "examiner":
		return sourceExaminer
	case "applicant":
		return sourceApplicant
	}
	return by
}

// usApplicant takes an applicant. Until 2012 US law let only inventors apply, so that the company behind them is the
// assignee: persons are kept apart, for patents that have nobody else. Files of those years list an inventor who applies
// only once, as applicant.
func (r *reader) usApplicant() {
	name := r.party.full()
	if r.party.name != "" {
		r.d.applicants.add("", name)
	} else {
		r.d.personApplicants.add("", name)
	}
	if r.party.appType == "applicant-inventor" {
		r.d.inventors.add("", name)
	}
}
