package merge

import (
	"encoding/binary"
	"fmt"

	"dssdnet/schemas"
)

// part is what a patent needs of one of its documents. The tags are those of schemas.Document, so that reading a
// documents file into parts reads these columns only.
type part struct {
	PatentID string `parquet:"patent_id"`
	UCID     string `parquet:"ucid"`
	Country  string `parquet:"country,dict"`
	Kind     string `parquet:"kind,optional,dict"`
	FamilyID string `parquet:"family_id,optional"`

	PublicationDate      *schemas.Date `parquet:"publication_date,optional,date"`
	ApplicationDate      *schemas.Date `parquet:"application_date,optional,date"`
	EarliestPriorityDate *schemas.Date `parquet:"earliest_priority_date,optional,date"`

	TitleEN       string `parquet:"title_en,optional"`
	TitleDE       string `parquet:"title_de,optional"`
	TitleFR       string `parquet:"title_fr,optional"`
	AbstractEN    string `parquet:"abstract_en,optional"`
	AbstractDE    string `parquet:"abstract_de,optional"`
	AbstractFR    string `parquet:"abstract_fr,optional"`
	ClaimsEN      string `parquet:"claims_en,optional"`
	ClaimsDE      string `parquet:"claims_de,optional"`
	ClaimsFR      string `parquet:"claims_fr,optional"`
	DescriptionEN string `parquet:"description_en,optional"`
	DescriptionDE string `parquet:"description_de,optional"`
	DescriptionFR string `parquet:"description_fr,optional"`

	IPCSubclasses []string           `parquet:"ipc_subclasses,list"`
	CPCSubclasses []string           `parquet:"cpc_subclasses,list"`
	Citations     []schemas.Citation `parquet:"citations,list"`
}

// tombstone says that no document of a patent is left. It travels through the sort like a document.
func tombstone(patentID string) *part { return &part{PatentID: patentID} }

func (p *part) isTombstone() bool { return p.UCID == "" }

// The fields by type: encoding and decoding walk the same lists, so they cannot disagree.

// texts are the strings; the document's own texts begin at the fifth.
func (p *part) texts() []*string {
	return []*string{
		&p.UCID, &p.Country, &p.Kind, &p.FamilyID,
		&p.TitleEN, &p.TitleDE, &p.TitleFR, &p.AbstractEN, &p.AbstractDE, &p.AbstractFR,
		&p.ClaimsEN, &p.ClaimsDE, &p.ClaimsFR, &p.DescriptionEN, &p.DescriptionDE, &p.DescriptionFR,
	}
}

func (p *part) dates() []**schemas.Date {
	return []**schemas.Date{&p.PublicationDate, &p.ApplicationDate, &p.EarliestPriorityDate}
}

func (p *part) lists() []*[]string { return []*[]string{&p.IPCSubclasses, &p.CPCSubclasses} }

// textBytes is the size of the document's texts.
func (p *part) textBytes() int64 {
	var n int64
	for _, s := range p.texts()[4:] {
		n += int64(len(*s))
	}
	return n
}

// append adds the part to buf, but for its patent id, which is the sort key beside it.
func (p *part) append(buf []byte) []byte {
	for _, s := range p.texts() {
		buf = appendString(buf, *s)
	}
	for _, d := range p.dates() {
		if *d == nil {
			buf = append(buf, 0)
			continue
		}
		buf = binary.AppendVarint(append(buf, 1), int64(**d))
	}
	for _, list := range p.lists() {
		buf = binary.AppendUvarint(buf, uint64(len(*list)))
		for _, s := range *list {
			buf = appendString(buf, s)
		}
	}
	buf = binary.AppendUvarint(buf, uint64(len(p.Citations)))
	for i := range p.Citations {
		c := &p.Citations[i]
		for _, s := range []string{c.UCID, c.PatentID, c.Source, c.Category} {
			buf = appendString(buf, s)
		}
	}
	return buf
}

// decode reads what append wrote. Nothing of the part aliases data.
func (p *part) decode(patentID string, data []byte) error {
	r := &reader{data: data}
	*p = part{PatentID: patentID}
	for _, s := range p.texts() {
		*s = r.string()
	}
	for _, d := range p.dates() {
		if r.byte() == 1 {
			day := schemas.Date(r.varint())
			*d = &day
		}
	}
	for _, list := range p.lists() {
		for range r.count() {
			*list = append(*list, r.string())
		}
	}
	for range r.count() {
		p.Citations = append(p.Citations, schemas.Citation{UCID: r.string(), PatentID: r.string(), Source: r.string(), Category: r.string()})
	}
	if r.failed || len(r.data) > 0 {
		return fmt.Errorf("a run of the merge is damaged at patent %s: check the disk, then merge again", patentID)
	}
	return nil
}

func appendString(buf []byte, s string) []byte {
	return append(binary.AppendUvarint(buf, uint64(len(s))), s...)
}

// reader takes values off data. After the first that does not fit it returns zeros.
type reader struct {
	data   []byte
	failed bool
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.data)) {
		r.failed, r.data = true, nil
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.failed, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.data)
	if n <= 0 {
		r.failed, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// count is a number of elements: each takes at least a byte, so a damaged one cannot ask for more than there is.
func (r *reader) count() uint64 {
	n := r.uvarint()
	if n > uint64(len(r.data)) {
		r.failed, r.data = true, nil
		return 0
	}
	return n
}

func (r *reader) bytes() []byte  { return r.take(r.uvarint()) }
func (r *reader) string() string { return string(r.bytes()) }
