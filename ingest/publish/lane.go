package publish

import (
	"time"
)

// linger is how long an unfinished batch waits for more documents. It matters only when reading is slow.
const linger = 20 * time.Millisecond

// lane is the way to one partition: documents go in one by one and come out in batches, in the same order, one batch at
// a time. At most two batches are in it: one that is being sent and one that is filling.
type lane struct {
	partition int
	in        chan document
	out       chan []document
	target    int // bytes at which a batch is full
	most      int // bytes that a batch must not exceed
}

// maxRecords bounds what is unknown when an acknowledgement is lost.
const maxRecords = 5000

func newLane(partition, target, most int) *lane {
	return &lane{partition: partition, in: make(chan document), out: make(chan []document), target: target, most: most}
}

// collect makes batches until in is closed.
func (l *lane) collect() {
	defer close(l.out)
	var (
		batch []document
		held  *document // did not fit into batch
		size  int
		due   bool
	)
	timer := time.NewTimer(linger)
	timer.Stop()
	add := func(d document) {
		if len(batch) > 0 && size+d.size() > l.most {
			held = &d
			return
		}
		if batch = append(batch, d); len(batch) == 1 {
			timer.Reset(linger)
		}
		size += d.size()
	}
	for in := l.in; in != nil || len(batch) > 0; {
		full := held != nil || size >= l.target || len(batch) >= maxRecords
		from, to := in, l.out
		if full {
			from = nil
		}
		if len(batch) == 0 || !full && !due && in != nil {
			to = nil
		}
		select {
		case d, ok := <-from:
			if !ok {
				in = nil
				continue
			}
			add(d)
		case to <- batch:
			batch, size, due = nil, 0, false
			timer.Stop()
			if held != nil {
				d := *held
				held = nil
				add(d)
			}
		case <-timer.C:
			due = true
		}
	}
}
