package publish

import (
	"maps"
	"sync"

	"dssdnet/internal/progress"
)

// Result counts what a run did. Documents and Bytes are those that the brokers have acknowledged.
type Result struct {
	Topic       string           `json:"topic"`
	Partitions  int              `json:"partitions"` // 0 when nothing was published
	Files       int64            `json:"files"`      // read; archives count once
	Archives    int64            `json:"archives"`   // opened, those inside others too
	Documents   int64            `json:"documents"`
	Bytes       int64            `json:"bytes"`        // of XML
	Cut         int64            `json:"cut"`          // documents longer than the limit
	WithoutID   int64            `json:"without_id"`   // documents that name no patent at their beginning
	DeadLetters int64            `json:"dead_letters"` // files and archive members that could not be read
	Junk        map[string]int64 `json:"junk"`         // files, members and stretches of text that are no documents, by reason
	Seconds     float64          `json:"seconds"`
}

// tally is a Result in the making.
type tally struct {
	task progress.Task

	mu     sync.Mutex
	result Result
}

func newTally(r progress.Reporter) *tally {
	return &tally{task: progress.Or(r).Start("publish", 0, progress.Documents), result: Result{Junk: map[string]int64{}}}
}

func (t *tally) change(f func(*Result)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.result)
}

func (t *tally) snapshot() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.result
	r.Junk = maps.Clone(r.Junk)
	return r
}

func (t *tally) topic(name string, partitions int) {
	t.change(func(r *Result) { r.Topic, r.Partitions = name, partitions })
}
func (t *tally) file()    { t.change(func(r *Result) { r.Files++ }) }
func (t *tally) archive() { t.change(func(r *Result) { r.Archives++ }) }

func (t *tally) junk(reason string) {
	t.change(func(r *Result) { r.Junk[reason]++ })
	t.task.Count("junk", 1)
}

func (t *tally) dead() {
	t.change(func(r *Result) { r.DeadLetters++ })
	t.task.Count("dead_letters", 1)
}

func (t *tally) acknowledged(batch []document) {
	var bytes int64
	for _, d := range batch {
		bytes += int64(len(d.value))
	}
	t.change(func(r *Result) {
		r.Documents += int64(len(batch))
		r.Bytes += bytes
		for _, d := range batch {
			if d.cut {
				r.Cut++
			}
			if d.patentID == "" {
				r.WithoutID++
			}
		}
	})
	t.task.Add(int64(len(batch)))
	t.task.Count("bytes", bytes)
}
