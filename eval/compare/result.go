package compare

// Result of one comparison, as compare.json has it.
type Result struct {
	Report     string   `json:"report"`
	Baseline   string   `json:"baseline"`
	Topics     int      `json:"topics"`
	Measures   []string `json:"measures"`
	By         string   `json:"by"` // measure of gains and losses
	Confidence float64  `json:"confidence"`
	Systems    []System `json:"systems"` // the baseline first, without tests
	Warnings   []string `json:"warnings"`
	Seconds    float64  `json:"seconds,omitempty"` // not in compare.json
}

// System is a run, or a model with several seeds.
type System struct {
	Name   string   `json:"name"`
	Runs   []string `json:"runs"` // its own name, or those of the seeds
	Scores []Score  `json:"scores"`
	Gains  []Change `json:"gains,omitempty"`  // biggest first
	Losses []Change `json:"losses,omitempty"` // biggest first
}

// Score is a measure of a system. Test is nil for the baseline.
type Score struct {
	Measure   string   `json:"measure"`
	Mean      float64  `json:"mean"`
	Deviation *float64 `json:"deviation,omitempty"` // over seeds
	Test      *Test    `json:"test,omitempty"`
}

// Test compares a system with the baseline.
type Test struct {
	Topics     int     `json:"topics"` // with a value
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"` // of the confidence interval of the difference
	High       float64 `json:"high"`
	Wins       int     `json:"wins"` // topics on which the system is better
	Losses     int     `json:"losses"`
	Ties       int     `json:"ties"`
	P          float64 `json:"p"`
	Exact      bool    `json:"exact"` // all swaps were tried
	Holm       float64 `json:"holm"`  // p corrected for the number of systems
}

// Change is a topic whose value differs.
type Change struct {
	Topic    string  `json:"topic"`
	Title    string  `json:"title,omitempty"`
	Baseline float64 `json:"baseline"`
	System   float64 `json:"system"`
	Golds    []Moved `json:"golds"`
}

// Moved is a gold with its rank in both rankings, 0 for none; of several seeds it is the rank in the first.
type Moved struct {
	Patent   string `json:"patent"`
	Title    string `json:"title,omitempty"`
	Grade    int    `json:"grade"`
	Baseline int    `json:"baseline_rank"`
	System   int    `json:"system_rank"`
}
