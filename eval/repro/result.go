package repro

// Verdict of a figure, a condition or a matrix.
type Verdict string

// The verdicts, from good to bad.
const (
	OK      Verdict = "OK"      // within the tolerance
	OKish   Verdict = "OKish"   // near it
	Fail    Verdict = "FAIL"    // neither, or not there
	Skipped Verdict = "skipped" // what it requires is not there, or it was a dry run
)

// Result of one reproduction.
type Result struct {
	Matrix     string            `json:"matrix"`
	About      string            `json:"about,omitempty"`
	Conditions []ConditionResult `json:"conditions"`
	OK         int               `json:"ok"` // figures
	OKish      int               `json:"okish"`
	Fail       int               `json:"fail"`    // figures, and commands
	Skipped    int               `json:"skipped"` // conditions
	Seconds    float64           `json:"seconds"`
}

// ConditionResult is one condition.
type ConditionResult struct {
	Name     string          `json:"name"`
	Verdict  Verdict         `json:"verdict"`
	Reason   string          `json:"reason,omitempty"` // of a skip or a failed command
	Commands []CommandResult `json:"commands"`
	Figures  []FigureResult  `json:"figures"`
}

// CommandResult is a command that was run, or would be.
type CommandResult struct {
	Command string  `json:"command"`
	Seconds float64 `json:"seconds"`
}

// FigureResult is a figure with what was found.
type FigureResult struct {
	Name    string   `json:"name"`
	Want    float64  `json:"want"`
	Got     *float64 `json:"got,omitempty"` // nil when it is not there
	Verdict Verdict  `json:"verdict"`
	Reason  string   `json:"reason,omitempty"`
}
