package pipelines

import (
	"context"
	"time"
)

// EventType is what happened.
type EventType string

// The events of a run, in their order. A step has StepSkip alone, or StepStart and then StepDone or StepFail.
const (
	RunStart  EventType = "run_start"
	StepStart EventType = "step_start"
	StepSkip  EventType = "step_skip"
	StepDone  EventType = "step_done"
	StepFail  EventType = "step_fail"
	RunDone   EventType = "run_done"
	RunFail   EventType = "run_fail"
)

// Event is one thing that happened in a run. Fields that say nothing for its type are empty.
type Event struct {
	Type     EventType
	Time     time.Time
	Pipeline string
	RunID    string // UUID of the run
	StepID   string // UUID of this run of the step
	Step     string
	Stage    string            // command of the stage: index search
	Settings map[string]string // of the step, as text
	Inputs   []Data
	Outputs  []Data
	Result   any    // what the stage returned, also when it failed on the way
	Reason   string // why a step was skipped, or ran
	Err      error
	Seconds  float64
}

// Data is something that a step reads or writes.
type Data struct {
	Name        string `json:"name"` // patents, pools/bm25, kafka/patents.xml, or the path of a file outside the workspace
	Fingerprint string `json:"fingerprint,omitempty"`
	Bytes       int64  `json:"bytes"`
	Files       int    `json:"files"`
}

// Observer is told of every event, one after the other from one goroutine. It must not hold up the run for long, and
// what goes wrong in it is its own to log: a run does not fail because nobody listens.
type Observer interface {
	Observe(ctx context.Context, e Event)
}
