package consume

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// Result counts what a run published. Work that was dropped, because another member was faster or the run ended, is not
// in it.
type Result struct {
	Records     int64            `json:"records"`
	Documents   int64            `json:"documents"` // rows written
	Unchanged   int64            `json:"unchanged"` // skipped: the newest row of the document has the same content
	DeadLetters int64            `json:"dead_letters"`
	Reasons     map[string]int64 `json:"reasons,omitempty"` // dead letters by reason code
	// Missing is how many offsets the topic did not hold any more: expired or deleted before they were read, or
	// compacted.
	Missing      int64   `json:"missing"`
	Files        int64   `json:"files"`
	XMLBytes     int64   `json:"xml_bytes"`
	ParquetBytes int64   `json:"parquet_bytes"`
	Partitions   []Range `json:"partitions"`
	Seconds      float64 `json:"seconds"`
	// MBPerSecond is XML, in millions of bytes.
	MBPerSecond float64 `json:"mb_per_second"`
}

// Range is the offsets of a partition that a run published, both ends included.
type Range struct {
	Partition int   `json:"partition"`
	First     int64 `json:"first"`
	Last      int64 `json:"last"`
	Files     int64 `json:"files"`
}

// tally counts the records of one file.
type tally struct {
	records, documents, unchanged, missing int64
	xmlBytes                               int64
	reasons                                map[string]int64
}

func (t *tally) dead() (n int64) {
	for _, k := range t.reasons {
		n += k
	}
	return n
}

// ledger adds up the published files of a run. It is safe for concurrent use.
type ledger struct {
	started time.Time

	mu     sync.Mutex
	result Result
	ranges map[int]Range
}

func newLedger() *ledger {
	return &ledger{started: time.Now(), ranges: make(map[int]Range)}
}

func (l *ledger) add(partition int, first, last int64, t *tally, parquetBytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := &l.result
	r.Records += t.records
	r.Documents += t.documents
	r.Unchanged += t.unchanged
	r.DeadLetters += t.dead()
	r.Missing += t.missing
	r.Files++
	r.XMLBytes += t.xmlBytes
	r.ParquetBytes += parquetBytes
	if r.Reasons == nil && len(t.reasons) > 0 {
		r.Reasons = make(map[string]int64)
	}
	for reason, n := range t.reasons {
		r.Reasons[reason] += n
	}
	span, ok := l.ranges[partition]
	if !ok {
		span = Range{Partition: partition, First: first, Last: last}
	}
	span.First, span.Last, span.Files = min(span.First, first), max(span.Last, last), span.Files+1
	l.ranges[partition] = span
}

func (l *ledger) sum() Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.result
	r.Reasons = maps.Clone(r.Reasons)
	r.Partitions = slices.AppendSeq(make([]Range, 0, len(l.ranges)), maps.Values(l.ranges))
	slices.SortFunc(r.Partitions, func(a, b Range) int { return cmp.Compare(a.Partition, b.Partition) })
	r.Seconds = time.Since(l.started).Seconds()
	if r.Seconds > 0 {
		r.MBPerSecond = float64(r.XMLBytes) / 1e6 / r.Seconds
	}
	return r
}
