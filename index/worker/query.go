package worker

import (
	"encoding/json"
	"fmt"

	"github.com/segmentio/kafka-go"

	"dssdnet/schemas"
)

// Reasons of records that are no query.
const (
	reasonNoQuery = "not-a-query" // no JSON of the form of schemas.QueryMessage
	reasonNoTopic = "no-topic-id"
	reasonVersion = "newer-version"
)

// rejection says why a record is no query.
type rejection struct{ reason, message string }

// decode reads the query of a record.
func decode(m kafka.Message) (*schemas.Topic, *rejection) {
	for _, h := range m.Headers {
		if h.Key == schemas.HeaderVersion && string(h.Value) != schemas.SearchVersion {
			return nil, &rejection{reasonVersion, fmt.Sprintf("the query has version %q, this dssdnet reads %s: upgrade dssdnet", h.Value, schemas.SearchVersion)}
		}
	}
	var q schemas.QueryMessage
	if err := json.Unmarshal(m.Value, &q); err != nil {
		return nil, &rejection{reasonNoQuery, fmt.Sprintf("the record is no query in JSON: %v", err)}
	}
	if q.TopicID == "" {
		q.TopicID = string(m.Key)
	}
	if q.TopicID == "" {
		return nil, &rejection{reasonNoTopic, "the query has neither a topic_id nor a key"}
	}
	topic, err := q.Topic()
	if err != nil {
		return nil, &rejection{reasonNoQuery, err.Error()}
	}
	if ucid, err := schemas.ParseUCID(topic.PatentID); err == nil {
		topic.PatentID = ucid.PatentID()
	}
	return topic, nil
}
