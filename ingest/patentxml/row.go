package patentxml

import (
	"strings"

	"dssdnet/schemas"
)

// row makes the row of the draft. doc is the decoded document, for the excerpt of a rejection.
func (p *Parser) row(doc []byte) (*schemas.Document, *Rejection) {
	d := &p.draft
	ucid, id, ok := d.identity()
	if !ok {
		return nil, rejectAt(ReasonNoUCID, "neither the root nor the publication-reference names the document: "+
			"no ucid, no country with a doc-number", doc, 0)
	}
	row := &schemas.Document{
		UCID:          ucid,
		PatentID:      id.PatentID(),
		Country:       id.Country,
		DocNumber:     id.Number,
		Kind:          id.Kind,
		Lang:          d.lang,
		FamilyID:      d.family,
		Status:        statusWord(d.status),
		DateProduced:  schemas.ParseDate(d.produced),
		Dialect:       d.dialect,
		IPC:           d.ipc.list(),
		IPCSubclasses: d.ipc.subclasses(),
		CPC:           d.cpc.list(),
		CPCSubclasses: d.cpc.subclasses(),
		Citations:     d.citations.list(),
		Applicants:    d.applicants.list(),
		Inventors:     d.inventors.list(),
	}
	if row.Applicants == nil { // grants name the owner
		row.Applicants = d.assignees.list()
	}
	if row.Applicants == nil {
		row.Applicants = d.personApplicants.list()
	}
	row.PublicationDate, row.PublicationDateRaw = schemas.ParseDate(d.published), d.published
	row.ApplicationDate, row.ApplicationDateRaw = schemas.ParseDate(d.filed), d.filed
	row.EarliestPriorityDate, row.EarliestPriorityDateRaw = earliest(d.priorities)
	if len(d.priorities) == 0 {
		row.EarliestPriorityDate, row.EarliestPriorityDateRaw = row.ApplicationDate, row.ApplicationDateRaw
	}
	p.columns(row)
	return row, nil
}

// identity returns the ucid as written and its parts: that of the root or, where it has none or an unreadable one, of
// the publication-reference, or the country, number and kind next to it.
func (d *draft) identity() (ucid string, id schemas.UCID, ok bool) {
	for _, ucid := range []string{d.ucid, d.publicationUCID, d.partsUCID()} {
		if id, err := schemas.ParseUCID(ucid); err == nil {
			return ucid, id, true
		}
	}
	return "", schemas.UCID{}, false
}

func (d *draft) partsUCID() string {
	return strings.TrimSuffix(d.country+"-"+d.number+"-"+d.kind, "-")
}

// canonicalUCID is the ucid of a document in whose dialect no ucid is written: of 08926509 B2 it is US-8926509-B2, as
// collections that have ucids spell it. It returns "" when the parts name no document.
func (d *draft) canonicalUCID() string {
	id, err := schemas.ParseUCID(d.partsUCID())
	if err != nil {
		return ""
	}
	return id.String()
}

// earliest returns the earliest calendar day of dates and how it is written; when none names a day, the first as
// written.
func earliest(dates []string) (*schemas.Date, string) {
	var day *schemas.Date
	raw := ""
	for _, date := range dates {
		d := schemas.ParseDate(date)
		if d != nil && (day == nil || *d < *day) {
			day, raw = d, date
		}
		if raw == "" {
			raw = date
		}
	}
	return day, raw
}

// statusWord spells out the one-letter forms.
func statusWord(status string) string {
	switch status = strings.ToLower(status); status {
	case "n":
		return "new"
	case "c":
		return "corrected"
	case "d":
		return "deleted"
	}
	return status
}
