package deadletter

import (
	"cmp"
	"container/list"
	"context"
	"slices"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/progress"
)

// Entry is one trouble of one document.
type Entry struct {
	Stage   string `json:"stage"`
	Class   string `json:"class"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Range   string `json:"range,omitempty"`
	Excerpt string `json:"excerpt,omitempty"`
	// Time is when the record that failed last was published, or when the publisher met the trouble.
	Time time.Time `json:"time"`
	// Times is how many records failed so: a document that is published again and refused again counts again.
	Times int64 `json:"times"`

	// The record that failed last; Offset is -1 when there is none.
	Topic     string `json:"topic"`
	Partition int    `json:"partition"`
	Offset    int64  `json:"offset"`
	SHA256    string `json:"sha256,omitempty"`
	// Replayable says that Replay can send the record again. Otherwise the path has to be published again.
	Replayable bool `json:"replayable"`
}

// Listing is what List found.
type Listing struct {
	Entries  []Entry          `json:"entries"`  // the last Config.Limit troubles, oldest first
	Letters  int64            `json:"letters"`  // records in the topic that match
	Troubles int64            `json:"troubles"` // distinct troubles among them
	Classes  map[string]int64 `json:"classes"`  // troubles by reason code
	// Forgot says that there were more letters than Config.DedupeKeys, so that a trouble may be listed twice.
	Forgot bool `json:"forgot,omitempty"`
}

// List reads the dead letter topic to its present end and returns each trouble once.
func List(ctx context.Context, c Config) (Listing, error) {
	if err := c.Validate(); err != nil {
		return Listing{}, err
	}
	task := progress.Or(c.Progress).Start("dlq list", 0, progress.Records)
	defer task.Done()
	b := newBoard(c.Limit, c.DedupeKeys)
	match := c.filter()
	var letters int64
	err := scan(ctx, c.Cluster, func(m kafka.Message) error {
		task.Add(1)
		l, full := read(m)
		if match(l) {
			letters++
			b.add(l, replayable(l, full))
		}
		return nil
	})
	if err != nil {
		return Listing{}, err
	}
	return Listing{Entries: b.entries(), Letters: letters, Troubles: b.troubles, Classes: b.classes, Forgot: b.records.forgot || b.forgot}, nil
}

// board keeps the last troubles with their texts, and of older ones the count.
type board struct {
	limit, maxKeys int

	counts  map[trouble]*count
	shown   *list.List // of *count, the trouble that failed last at the back
	records *recent[uint64]

	troubles int64
	classes  map[string]int64
	forgot   bool
}

// count is one trouble. It has an entry while it is among the last.
type count struct {
	key   trouble
	times int64
	entry *Entry
	place *list.Element
}

func newBoard(limit, maxKeys int) *board {
	return &board{limit: limit, maxKeys: maxKeys, counts: make(map[trouble]*count), shown: list.New(),
		records: newRecent[uint64](maxKeys), classes: make(map[string]int64)}
}

func (b *board) add(l Letter, replayable bool) {
	if l.Offset >= 0 && b.records.seen(occurrence(l)) {
		return
	}
	n := b.count(troubleOf(l), l.Class)
	n.times++
	if n.place != nil {
		b.shown.Remove(n.place)
	}
	n.place = b.shown.PushBack(n)
	n.entry = &Entry{
		Stage: l.Stage, Class: l.Class, Message: l.Message, Path: l.Path, Range: l.Range, Excerpt: l.Excerpt, Time: l.Time,
		Topic: l.Topic, Partition: l.Partition, Offset: l.Offset, SHA256: l.SHA256, Replayable: replayable,
	}
	if b.shown.Len() > b.limit {
		oldest := b.shown.Remove(b.shown.Front()).(*count)
		oldest.entry, oldest.place = nil, nil
	}
}

func (b *board) count(key trouble, class string) *count {
	if n := b.counts[key]; n != nil {
		return n
	}
	if len(b.counts) >= b.maxKeys+b.limit {
		b.forget()
	}
	n := &count{key: key}
	b.counts[key] = n
	b.troubles++
	b.classes[class]++
	return n
}

// forget drops the counts of troubles that are not shown.
func (b *board) forget() {
	b.forgot = true
	for key, n := range b.counts {
		if n.entry == nil {
			delete(b.counts, key)
		}
	}
}

func (b *board) entries() []Entry {
	entries := make([]Entry, 0, b.shown.Len())
	for e := b.shown.Front(); e != nil; e = e.Next() {
		n := e.Value.(*count)
		n.entry.Times = n.times
		entries = append(entries, *n.entry)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Time.UnixMilli(), b.Time.UnixMilli()) })
	return entries
}
