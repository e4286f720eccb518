package topics

import (
	"context"
	"fmt"
	"io"
	"strings"

	"dssdnet/ingest/patentxml"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// read turns the found topics into rows.
func (c Config) read(ctx context.Context, s *source, f *found) ([]schemas.Topic, Result, error) {
	task := c.Progress.Start(stage, int64(len(f.entries)), progress.Documents)
	defer task.Done()
	r := &topicReader{
		config: c, source: s, ids: map[string]string{},
		parser: patentxml.NewParser(patentxml.Limits{DocumentBytes: int64(c.MaxDocumentBytes), FieldBytes: int64(c.MaxFieldBytes)}),
		result: Result{Set: c.Set, Split: c.Split, Form: f.form, Languages: map[string]int64{}},
	}
	for _, dead := range f.dead {
		r.dead(dead)
	}
	for _, e := range f.entries {
		if err := ctx.Err(); err != nil {
			return nil, Result{}, err
		}
		r.read(e)
		task.Add(1)
	}
	task.Count("dead_letters", r.result.DeadLetters)
	r.result.Topics = int64(len(r.rows))
	return r.rows, r.result, nil
}

type topicReader struct {
	config Config
	source *source
	parser *patentxml.Parser
	ids    map[string]string // topic id to the file it was read from
	rows   []schemas.Topic
	result Result
}

// read adds one topic, as a row or as a dead letter.
func (r *topicReader) read(e entry) {
	document, err := r.document(e.file)
	if err != nil {
		r.dead(Dead{Topic: e.id, File: e.file, Line: e.line, Reason: err.Error()})
		return
	}
	row := topic(document)
	row.Set, row.Split = r.config.Set, r.config.Split
	if e.id != "" {
		row.TopicID = e.id
	}
	if other, ok := r.ids[row.TopicID]; ok {
		r.dead(Dead{Topic: row.TopicID, File: e.file, Line: e.line, Reason: fmt.Sprintf("%s is the same topic", other)})
		return
	}
	r.ids[row.TopicID] = e.file
	r.rows = append(r.rows, row)
	r.result.Languages[row.Lang]++
	if document.Truncated {
		r.result.Truncated++
	}
}

func (r *topicReader) document(name string) (*schemas.Document, error) {
	f, err := r.source.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := int64(r.config.MaxDocumentBytes)
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	cutFrom := int64(0)
	if int64(len(raw)) > limit {
		cutFrom = int64(len(raw))
		if info, err := f.Stat(); err == nil {
			cutFrom = info.Size()
		}
	}
	return r.parser.Parse(raw, cutFrom)
}

func (r *topicReader) dead(d Dead) {
	r.result.DeadLetters++
	if len(r.result.Dead) < listed {
		r.result.Dead = append(r.result.Dead, d)
	}
	r.config.Log.Warn("topic cannot be read", "topic", d.Topic, "file", d.File, "line", d.Line, "reason", d.Reason)
}

// topic takes from a patent document what a topic may know of it: all but its citations and its description.
func topic(d *schemas.Document) schemas.Topic {
	return schemas.Topic{
		TopicID: d.UCID, PatentID: d.PatentID, UCID: d.UCID, Lang: language(d),
		Title: d.TitleEN, Abstract: d.AbstractEN, Claims: d.ClaimsEN,
		TitleDE: d.TitleDE, TitleFR: d.TitleFR, AbstractDE: d.AbstractDE, AbstractFR: d.AbstractFR, ClaimsDE: d.ClaimsDE, ClaimsFR: d.ClaimsFR,
		PublicationDate: d.PublicationDate, ApplicationDate: d.ApplicationDate, EarliestPriorityDate: d.EarliestPriorityDate,
		FamilyID: d.FamilyID, IPCSubclasses: d.IPCSubclasses,
	}
}

// language is the declared language of a document when it is one of en, de and fr, else the detected one, else "".
func language(d *schemas.Document) string {
	for _, lang := range []string{strings.ToLower(d.Lang), d.LangDetected} {
		if lang == "en" || lang == "de" || lang == "fr" {
			return lang
		}
	}
	return ""
}
