package interop

import (
	"fmt"
	"strings"

	"dssdnet/schemas"
)

const (
	hugeBytes  = 9 << 20 // more than a page, a dictionary or a default buffer of any reader
	manyRows   = 3000
	unicode    = "Grüße, été, α−β ≤ 5 µm, 棒, 🧪, e\u0301, \u202eright-to-left, tab\there, quote\" back\\slash"
	onlyMarker = "a text that one row has"
)

// documents are rows for every shape a document can have: all columns, none of the optional ones, a huge text, and
// many plain ones with every kind of gap.
func documents() []schemas.Document {
	full := schemas.Document{
		UCID: "EP-1000001-A1", PatentID: "EP-1000001", Country: "EP", DocNumber: "1000001", Kind: "A1", Lang: "en", LangDetected: "de",
		PublicationDate: schemas.ParseDate("20000503"), PublicationDateRaw: "20000503",
		ApplicationDate: schemas.ParseDate("19690720"), ApplicationDateRaw: "19690720",
		EarliestPriorityDate: schemas.ParseDate("19700101"), EarliestPriorityDateRaw: "19700101",
		DateProduced: schemas.ParseDate("20991231"), FamilyID: "8241234", Status: "corrected",
		TitleEN: unicode, TitleDE: "Ein Stab", TitleFR: "Une tige", AbstractEN: "line\nline\r\nline", AbstractDE: " ", AbstractFR: "NULL",
		ClaimsEN: "1. A rod.\n2. The rod of claim 1.", ClaimsDE: "1. Ein Stab.", ClaimsFR: "1. Une tige.",
		DescriptionEN: onlyMarker, DescriptionDE: "Beschreibung", DescriptionFR: "None",
		OtherTexts: []schemas.OtherText{{Section: "title", Lang: "ja", Text: "棒"}, {Section: "abstract", Lang: "ja", Text: strings.Repeat("棒", 2000)}},
		IPC: []schemas.Classification{
			{Symbol: "A61K 31/00", Section: "A", Class: "A61", Subclass: "A61K", MainGroup: "31", Subgroup: "00",
				Version: "20060101", Level: "A", Position: "F", Value: "I", Source: "H"},
			{Symbol: "C07D", Section: "C", Class: "C07", Subclass: "C07D"},
		},
		IPCSubclasses: []string{"A61K", "C07D"},
		CPC:           []schemas.Classification{{Symbol: "Y02E 60/10", Section: "Y", Class: "Y02", Subclass: "Y02E", MainGroup: "60", Subgroup: "10"}},
		CPCSubclasses: []string{"Y02E"},
		Citations: []schemas.Citation{
			{UCID: "US-4000000-A", PatentID: "US-4000000", Source: "SEA", Category: "X"},
			{UCID: "DE-3546191-A1", PatentID: "DE-3546191"},
		},
		Applicants: []string{"ACME & Söhne GmbH"}, Inventors: []string{"DOE JANE", "DOE JOHN", unicode},
		Dialect: "clef-ip", TextBytes: 1 << 40, Truncated: true, Warnings: []string{"first", "second"},
		Source: schemas.Source{Topic: schemas.TopicXML, Partition: 3, Offset: 1<<62 + 1, Timestamp: 951782400123456,
			Path: "a b.tar.gz!EP/1.xml", ByteStart: 12, ByteEnd: 812, SHA256: strings.Repeat("ab", 32)},
	}
	bare := schemas.Document{UCID: "EP-1000002-B1", PatentID: "EP-1000002", Country: "EP", DocNumber: "1000002", Dialect: "ifi"}
	huge := bare
	huge.UCID, huge.PatentID, huge.DocNumber = "EP-1000003-A1", "EP-1000003", "1000003"
	huge.DescriptionEN = strings.Repeat("acgt äöü ", hugeBytes/12)
	huge.TextBytes = int64(len(huge.DescriptionEN))
	rows := []schemas.Document{full, bare, huge}
	for i := range manyRows {
		rows = append(rows, plainDocument(i))
	}
	return rows
}

// plainDocument has or lacks each optional part in its own rhythm, so that gaps fall on all sides of page and row
// group borders.
func plainDocument(i int) schemas.Document {
	number := fmt.Sprint(2000000 + i)
	row := schemas.Document{
		UCID: "EP-" + number + "-A1", PatentID: "EP-" + number, Country: "EP", DocNumber: number, Kind: "A1", Lang: "en", Dialect: "clef-ip",
		Source: schemas.Source{Topic: schemas.TopicXML, Partition: int32(i % 4), Offset: int64(i), Timestamp: int64(i) * 1000, Path: "EP.tar.gz!" + number},
	}
	if i%2 == 0 {
		row.TitleEN, row.PublicationDate = "title "+number, schemas.ParseDate("20010131")
	}
	if i%3 > 0 {
		row.AbstractEN = strings.Repeat("abstract "+number+" ", 1+i%7)
	}
	if i%5 == 0 {
		row.DescriptionEN = strings.Repeat("description "+number+" ", 300)
	}
	for j := range i % 4 {
		subclass := []string{"A61K", "C07D", "H04L"}[j]
		row.IPCSubclasses = append(row.IPCSubclasses, subclass)
		row.IPC = append(row.IPC, schemas.Classification{Symbol: subclass + " 1/" + number, Section: subclass[:1], Class: subclass[:3], Subclass: subclass})
		row.Inventors = append(row.Inventors, fmt.Sprint("INVENTOR ", j))
	}
	if i%11 == 0 {
		row.Citations = []schemas.Citation{{UCID: "EP-1000001-A1", PatentID: "EP-1000001", Category: "A"}}
	}
	return row
}

func patents() []schemas.Patent {
	rows := []schemas.Patent{
		{
			PatentID: "EP-1000001", Country: "EP", Kinds: []string{"A1", "B1"}, Documents: []string{"EP-1000001-A1", "EP-1000001-B1"},
			PublicationDate: schemas.ParseDate("20000503"), ApplicationDate: schemas.ParseDate("19990101"), EarliestPriorityDate: schemas.ParseDate("19980101"),
			FamilyID: "8241234", Title: unicode, Abstract: "A rod.", Claims: "1. A rod.", Description: onlyMarker,
			TitleDE: "Ein Stab", TitleFR: "Une tige", AbstractDE: "Ein Stab.", AbstractFR: "Une tige.", ClaimsDE: "1. Ein Stab.", ClaimsFR: "1. Une tige.",
			DescriptionDE: "Beschreibung", DescriptionFR: "Description", TextLang: "en",
			IPCSubclasses: []string{"A61K", "C07D"}, CPCSubclasses: []string{"Y02E"},
			Citations: []schemas.Citation{{UCID: "US-4000000-A", PatentID: "US-4000000", Source: "SEA", Category: "X"}},
		},
		{PatentID: "US-D668832", Country: "US"},
		{PatentID: "WO-1999014762", Country: "WO", Kinds: []string{"A1"}, Description: strings.Repeat("long ", hugeBytes/5)},
	}
	for i := range manyRows {
		row := schemas.Patent{PatentID: fmt.Sprint("EP-", 2000000+i), Country: "EP", Kinds: []string{"A1"}}
		if i%2 == 0 {
			row.Title, row.TextLang = fmt.Sprint("title ", i), "en"
		}
		if i%3 == 0 {
			row.IPCSubclasses = []string{"A61K"}
		}
		rows = append(rows, row)
	}
	return rows
}

func topics() []schemas.Topic {
	return []schemas.Topic{
		{
			TopicID: "PAC-1001", PatentID: "EP-1233512", UCID: "EP-1233512-A2", Set: "2010-test", Split: "test", Lang: "en",
			Title: "Mixer", Abstract: unicode, Claims: onlyMarker, TitleDE: "Mischer", TitleFR: "Mélangeur", AbstractDE: "Ein Mischer.",
			AbstractFR: "Un mélangeur.", ClaimsDE: "1. Mischer.", ClaimsFR: "1. Mélangeur.", PublicationDate: schemas.ParseDate("20020821"),
			ApplicationDate: schemas.ParseDate("20010216"), EarliestPriorityDate: schemas.ParseDate("20010216"), FamilyID: "1", IPCSubclasses: []string{"H03D"},
		},
		{TopicID: "EP-1221372-A2", PatentID: "EP-1221372", UCID: "EP-1221372-A2", Set: "2011-test", Split: "test"},
	}
}

func qrels() []schemas.Qrel {
	rows := []schemas.Qrel{{TopicID: "PAC-70", PatentID: "EP-0000001", Grade: 1, Set: "2010-train", BrokenTopic: true}}
	for i := range manyRows {
		rows = append(rows, schemas.Qrel{TopicID: fmt.Sprint("PAC-", i/5), PatentID: fmt.Sprint("EP-", 2000000+i), Grade: int32(1 + i%2), Set: "2010-train"})
	}
	return rows
}
