// Package progress is how a stage tells what it is doing. A stage counts; it never prints and knows of no
// terminal, log or metrics registry. Printers and the /metrics exporter implement [Reporter].
package progress

// Reporter starts tasks. It is safe for concurrent use.
type Reporter interface {
	// Start begins a task of a stage. total is the amount of work in unit, 0 when unknown.
	Start(stage string, total int64, unit Unit) Task
}

// Unit is what Add counts.
type Unit string

// The units of the stages.
const (
	Bytes     Unit = "bytes"
	Documents Unit = "documents"
	Patents   Unit = "patents"
	Records   Unit = "records"
)

// Task is work in progress. Its methods are safe for concurrent use and cheap enough for every document.
type Task interface {
	Add(n int64)                      // n more units are done
	SetTotal(n int64)                 // the amount of work is now known, or has grown
	Count(name string, n int64)       // a counter beside the main one: "dead_letters"
	Gauge(name string, value float64) // a value that goes up and down: "lag"
	Done()                            // the task is over; no call follows
}

// Silent reports nothing.
var Silent Reporter = silent{}

// Or returns r, or Silent for nil: what a stage does with an unset Config field.
func Or(r Reporter) Reporter {
	if r == nil {
		return Silent
	}
	return r
}

type silent struct{}

func (silent) Start(string, int64, Unit) Task { return silentTask{} }

type silentTask struct{}

func (silentTask) Add(int64)             {}
func (silentTask) SetTotal(int64)        {}
func (silentTask) Count(string, int64)   {}
func (silentTask) Gauge(string, float64) {}
func (silentTask) Done()                 {}
