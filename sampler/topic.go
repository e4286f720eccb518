package sampler

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// topic is what the draws know of a topic. Its text is in the [textStore] under the topic's number.
type topic struct {
	id, patent string
	set        string
	declared   side // by its set
	side       side
	own        uint32 // its patent in the library, or nowhere
	family     family
	codes      []code
	before     schemas.Date // day that prior art is older than, or noDate
	hasText    bool

	golds       []uint32 // in the library, ascending
	unreachable int      // golds that the library does not have
	pool        poolBlock
}

// goldCount counts every gold, reachable or not: the denominator of every measure.
func (t *topic) goldCount() int { return len(t.golds) + t.unreachable }

func (t *topic) isGold(patent uint32) bool {
	_, found := slices.BinarySearch(t.golds, patent)
	return found
}

type topicRow struct {
	TopicID              string        `parquet:"topic_id"`
	PatentID             string        `parquet:"patent_id"`
	Set                  string        `parquet:"set,dict"`
	Split                string        `parquet:"split,dict"`
	Title                string        `parquet:"title,optional"`
	Abstract             string        `parquet:"abstract,optional"`
	PublicationDate      *schemas.Date `parquet:"publication_date,optional,date"`
	ApplicationDate      *schemas.Date `parquet:"application_date,optional,date"`
	EarliestPriorityDate *schemas.Date `parquet:"earliest_priority_date,optional,date"`
	FamilyID             string        `parquet:"family_id,optional"`
	IPCSubclasses        []string      `parquet:"ipc_subclasses,list"`
}

// loadTopics reads the topics of the sets, all sets when there are none named, in the order of topic id, and puts
// their texts into store.
func loadTopics(ctx context.Context, from *source, sets []string, lib *library, store *textStore) ([]topic, error) {
	type read struct {
		topic
		text textRef
	}
	var all []read
	seen := map[string]bool{}
	for _, file := range from.files {
		err := each(ctx, file, func(row *topicRow) error {
			seen[strings.Clone(row.Set)] = true
			if len(sets) > 0 && !slices.Contains(sets, row.Set) {
				return nil
			}
			t, err := newTopic(row, lib)
			if err != nil {
				return fault.New(fault.Rejected, "topic %s of %s: %w", row.TopicID, file.Path, err)
			}
			ref, err := store.write(row.Title, row.Abstract)
			all = append(all, read{t, ref})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, set := range sets {
		if !seen[set] {
			return nil, fault.New(fault.Rejected, "--sets names %q, topics/ has only %s", set, strings.Join(sortedKeys(seen), ", "))
		}
	}
	if len(all) == 0 {
		return nil, fault.New(fault.Rejected, "there are no topics in topics/: run dssdnet ingest topics")
	}
	slices.SortFunc(all, func(a, b read) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.set, b.set)) })
	topics := make([]topic, len(all))
	for i := range all {
		if i > 0 && all[i].id == all[i-1].id {
			return nil, fault.New(fault.Rejected, "topic %s stands twice, in the sets %s and %s: choose sets without common topics (--sets)", all[i].id, all[i-1].set, all[i].set)
		}
		topics[i] = all[i].topic
		store.topics = append(store.topics, all[i].text)
	}
	return topics, nil
}

func newTopic(row *topicRow, lib *library) (topic, error) {
	declared, err := parseSide(row.Split)
	if err != nil {
		return topic{}, err
	}
	t := topic{
		id: strings.Clone(row.TopicID), patent: strings.Clone(row.PatentID), set: strings.Clone(row.Set),
		declared: declared, own: lib.find(row.PatentID), family: familyOf(row.FamilyID),
		before:  dateOf(cmp.Or(row.EarliestPriorityDate, row.ApplicationDate, row.PublicationDate)),
		hasText: row.Title != "" || row.Abstract != "",
	}
	t.codes, err = lib.codes.add(nil, row.IPCSubclasses)
	return t, err
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
