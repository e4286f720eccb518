package pipelines

import "time"

// What became of a step.
const (
	Done    = "done"
	Skipped = "skipped" // nothing has changed for it, or its if-exists names what is not there
	Failed  = "failed"
	Refused = "refused" // a gate said no: all was written, and the steps after it were run
	NotRun  = "not run" // left out by --from or --until, or an earlier step failed
	Running = "running" // in run_results.json of a run that is under way, or was killed

	// Of a dry run:
	WouldRun  = "run"
	MayRun    = "may run" // it depends on what an earlier step changes
	WouldSkip = "skip"
)

// Result of one run. It is also workspace/run_results.json.
type Result struct {
	Version  int               `json:"version"` // of this layout
	Tool     string            `json:"tool"`
	Pipeline string            `json:"pipeline"`
	File     string            `json:"file"` // as it was named
	RunID    string            `json:"run_id"`
	Status   string            `json:"status"`         // running, done, failed, refused, dry run
	Vars     map[string]string `json:"vars,omitempty"` // in force
	Set      []string          `json:"set,omitempty"`  // as the caller gave them
	From     string            `json:"from,omitempty"`
	Until    string            `json:"until,omitempty"`
	Steps    []StepResult      `json:"steps"`
	Warnings []string          `json:"warnings,omitempty"`
	Error    string            `json:"error,omitempty"`
	Started  time.Time         `json:"started"`
	Seconds  float64           `json:"seconds"`
}

// StepResult is one step of a run.
type StepResult struct {
	Step      string  `json:"step"`
	Stage     string  `json:"stage"`
	Status    string  `json:"status"`
	Reason    string  `json:"reason,omitempty"` // in words: why it ran, or did not
	Seconds   float64 `json:"seconds,omitempty"`
	PeakRSS   int64   `json:"peak_rss,omitempty"`   // bytes, of the process while the step ran
	DiskBytes int64   `json:"disk_bytes,omitempty"` // of what it writes, after it
	Result    any     `json:"result,omitempty"`     // what the stage returned; as JSON text when it was skipped
	Error     string  `json:"error,omitempty"`
}
