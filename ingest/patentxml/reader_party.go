package patentxml

// leaveParty takes what an element of a person or a company has collected.
func (r *reader) leaveParty(at place) {
	switch at {
	case partyName:
		first(&r.party.name, string(clean(r.value)))
	case partyLastName:
		first(&r.party.last, string(clean(r.value)))
	case partyFirstName:
		first(&r.party.first, string(clean(r.value)))
	case applicant:
		r.d.applicants.add(r.party.format, r.party.full())
	case usApplicant:
		r.usApplicant()
	case assignee:
		r.d.assignees.add(r.party.format, r.party.full())
	case inventor:
		r.d.inventors.add(r.party.format, r.party.full())
	}
}

// full is the name of a person or a company: "Doe, Jane" where the file has it in two parts.
func (n partyNames) full() string {
	switch {
	case n.name != "":
		return n.name
	case n.first == "" || n.last == "":
		return n.last + n.first
	}
	return n.last + ", " + n.first
}
