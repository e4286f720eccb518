package consume

import (
	"strconv"
	"sync"

	"dssdnet/internal/progress"
)

// lag is how many records of each partition of this member are still to be read.
type lag struct {
	task progress.Task

	mu   sync.Mutex
	each map[int]int64
}

func newLag(task progress.Task) *lag { return &lag{task: task, each: make(map[int]int64)} }

func (l *lag) set(partition int, records int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.each[partition] = records
	l.task.Gauge(gaugeOf(partition), float64(records))
	l.total()
}

func (l *lag) total() {
	var sum int64
	for _, n := range l.each {
		sum += n
	}
	l.task.Gauge("lag", float64(sum))
}

func gaugeOf(partition int) string { return "lag_" + strconv.Itoa(partition) }
