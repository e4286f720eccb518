package schemas

import (
	"fmt"
	"strings"
)

// Kafka topics of the search. A record of TopicQueries is one topic to draw a pool for, and one of TopicPools the pool
// of one topic; the key of both is the topic id.
const (
	TopicQueries = "queries"
	TopicPools   = "pools"
)

// SearchVersion is the version of [QueryMessage] and [PoolMessage], in the header [HeaderVersion].
//
//	1  first
const SearchVersion = "1"

// QueryMessage is the value of a record of TopicQueries, as JSON. All but the topic id can be missing.
type QueryMessage struct {
	TopicID  string `json:"topic_id"`            // the record's key when missing
	PatentID string `json:"patent_id,omitempty"` // never a candidate of the pool
	UCID     string `json:"ucid,omitempty"`
	Set      string `json:"set,omitempty"`
	Split    string `json:"split,omitempty"`
	Lang     string `json:"lang,omitempty"`

	Title      string `json:"title,omitempty"`
	Abstract   string `json:"abstract,omitempty"`
	Claims     string `json:"claims,omitempty"`
	TitleDE    string `json:"title_de,omitempty"`
	TitleFR    string `json:"title_fr,omitempty"`
	AbstractDE string `json:"abstract_de,omitempty"`
	AbstractFR string `json:"abstract_fr,omitempty"`
	ClaimsDE   string `json:"claims_de,omitempty"`
	ClaimsFR   string `json:"claims_fr,omitempty"`

	// Days as YYYY-MM-DD or YYYYMMDD.
	PublicationDate      string `json:"publication_date,omitempty"`
	ApplicationDate      string `json:"application_date,omitempty"`
	EarliestPriorityDate string `json:"earliest_priority_date,omitempty"`

	FamilyID      string   `json:"family_id,omitempty"`
	IPCSubclasses []string `json:"ipc_subclasses,omitempty"`
}

// QueryOf is the message of a topic.
func QueryOf(t *Topic) QueryMessage {
	return QueryMessage{
		TopicID: t.TopicID, PatentID: t.PatentID, UCID: t.UCID, Set: t.Set, Split: t.Split, Lang: t.Lang,
		Title: t.Title, Abstract: t.Abstract, Claims: t.Claims,
		TitleDE: t.TitleDE, TitleFR: t.TitleFR, AbstractDE: t.AbstractDE, AbstractFR: t.AbstractFR,
		ClaimsDE: t.ClaimsDE, ClaimsFR: t.ClaimsFR,
		PublicationDate: dayText(t.PublicationDate), ApplicationDate: dayText(t.ApplicationDate),
		EarliestPriorityDate: dayText(t.EarliestPriorityDate),
		FamilyID:             t.FamilyID, IPCSubclasses: t.IPCSubclasses,
	}
}

// Topic is the topic of the message. The error names a day that is none.
func (q *QueryMessage) Topic() (*Topic, error) {
	t := &Topic{
		TopicID: q.TopicID, PatentID: q.PatentID, UCID: q.UCID, Set: q.Set, Split: q.Split, Lang: q.Lang,
		Title: q.Title, Abstract: q.Abstract, Claims: q.Claims,
		TitleDE: q.TitleDE, TitleFR: q.TitleFR, AbstractDE: q.AbstractDE, AbstractFR: q.AbstractFR,
		ClaimsDE: q.ClaimsDE, ClaimsFR: q.ClaimsFR, FamilyID: q.FamilyID, IPCSubclasses: q.IPCSubclasses,
	}
	for _, day := range []struct {
		to         **Date
		name, text string
	}{
		{&t.PublicationDate, "publication_date", q.PublicationDate},
		{&t.ApplicationDate, "application_date", q.ApplicationDate},
		{&t.EarliestPriorityDate, "earliest_priority_date", q.EarliestPriorityDate},
	} {
		if day.text == "" {
			continue
		}
		if *day.to = ParseDate(strings.ReplaceAll(day.text, "-", "")); *day.to == nil {
			return nil, fmt.Errorf("%s %q is no day like 2001-12-31", day.name, day.text)
		}
	}
	return t, nil
}

func dayText(d *Date) string {
	if d == nil {
		return ""
	}
	return d.String()
}

// PoolMessage is the value of a record of TopicPools, as JSON.
type PoolMessage struct {
	TopicID    string          `json:"topic_id"`
	Pool       string          `json:"pool"`        // name
	IndexBuild string          `json:"index_build"` // that was searched; "" for a pool without candidates
	Candidates []PoolCandidate `json:"candidates"`  // best first
}

// PoolCandidate is a candidate of a pool.
type PoolCandidate struct {
	PatentID string  `json:"patent_id"`
	Score    float64 `json:"score"`
}
