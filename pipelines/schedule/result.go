package schedule

import (
	"context"
	"errors"
	"time"

	"dssdnet/internal/fault"
)

// Trigger is why a run begins.
type Trigger string

// The triggers.
const (
	Cron Trigger = "cron"
	New  Trigger = "new" // enough patents wait in the topic
)

// Outcome is how a run has ended, in the words of the exit codes.
type Outcome string

// The outcomes.
const (
	Done        Outcome = "done"         // 0
	Failed      Outcome = "failed"       // 1
	Usage       Outcome = "usage"        // 2
	Rejected    Outcome = "rejected"     // 3
	DeadLetters Outcome = "dead-letters" // 4
	Refused     Outcome = "refused"      // 5
	Interrupted Outcome = "interrupted"  // 130
)

var outcomes = []Outcome{Done, Failed, Usage, Rejected, DeadLetters, Refused, Interrupted}

// outcomeOf sorts what a run has returned.
func outcomeOf(ctx context.Context, err error) Outcome {
	switch {
	case err == nil:
		return Done
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return Interrupted
	}
	switch fault.KindOf(err) {
	case fault.Usage:
		return Usage
	case fault.Rejected:
		return Rejected
	case fault.DeadLetters:
		return DeadLetters
	case fault.GateRefused:
		return Refused
	default:
		return Failed
	}
}

// Reason is why a fire did not become a run.
type Reason string

// The reasons.
const (
	Overlapped Reason = "overlap" // a run was going on, or one was waiting already
	Held       Reason = "held"    // another process held the workspace
	Missed     Reason = "missed"  // nobody was there at its time
)

// Result is what a scheduler did from its start to its end.
type Result struct {
	Pipeline    string            `json:"pipeline"`
	Runs        map[Outcome]int64 `json:"runs"`
	Skipped     map[Reason]int64  `json:"skipped"`
	LastRun     *LastRun          `json:"last_run,omitempty"`
	LastSuccess time.Time         `json:"last_success,omitzero"`
	Seconds     float64           `json:"seconds"`
}
