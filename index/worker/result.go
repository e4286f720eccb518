package worker

import (
	"sync"
	"time"
)

// Result counts what a run published. Work that was dropped, because another worker was faster or the run ended, is
// not in it.
type Result struct {
	Pool        string  `json:"pool"`
	Index       string  `json:"index"` // build that was searched
	Records     int64   `json:"records"`
	Topics      int64   `json:"topics"` // pools drawn
	Rows        int64   `json:"rows"`
	Repeated    int64   `json:"repeated"` // records of topics that had a pool
	DeadLetters int64   `json:"dead_letters"`
	Files       int64   `json:"files"`
	Seconds     float64 `json:"seconds"`
}

// ledger adds up the published files of a run. It is safe for concurrent use.
type ledger struct {
	started time.Time

	mu     sync.Mutex
	result Result
}

func (l *ledger) add(b *batch, rows int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.Records += b.records
	l.result.Topics += int64(len(b.topics))
	l.result.Rows += rows
	l.result.Repeated += b.repeated
	l.result.DeadLetters += int64(len(b.letters))
	l.result.Files++
}

func (l *ledger) sum() Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	result := l.result
	result.Seconds = time.Since(l.started).Seconds()
	return result
}
