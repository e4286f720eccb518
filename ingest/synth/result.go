package synth

// Result counts what was written, and what must come out of it when it is ingested: a pipeline that reads the
// collection can be checked against it. It is the same for every run with the same settings.
type Result struct {
	Files int   `json:"files"` // XML files of the collection
	Bytes int64 `json:"bytes"` // of XML, before compression

	// What reading the collection gives. Without hazards every file is one row.
	Rows        int `json:"rows"`         // of documents/, after everything is consumed once
	Documents   int `json:"documents"`    // distinct ucids among the rows
	Patents     int `json:"patents"`      // distinct patents among the rows: rows of patents/
	DeadLetters int `json:"dead_letters"` // documents that must be refused
	Aliens      int `json:"aliens"`       // files that hold no XML document at all

	Kinds        map[string]int         `json:"kinds"`     // files by kind code
	Languages    map[string]int         `json:"languages"` // files by language
	Hazards      map[string]HazardCount `json:"hazards"`
	Unclassified int                    `json:"unclassified"` // files without any IPC symbol
	NoAbstract   int                    `json:"no_abstract"`  // files without an abstract

	Citations      int `json:"citations"`       // between patents of the universe, in files
	CrossCitations int `json:"cross_citations"` // of these, without a common IPC subclass

	Topics map[string]TopicCount `json:"topics"` // by split: train, valid, test
}

// HazardCount is what the files with one hazard are and become.
type HazardCount struct {
	Files       int `json:"files"`
	Rows        int `json:"rows"`
	DeadLetters int `json:"dead_letters"`
	Aliens      int `json:"aliens,omitempty"`
}

// TopicCount is the size of a topic set.
type TopicCount struct {
	Topics int `json:"topics"`
	Golds  int `json:"golds"`  // rows of the qrels
	Highly int `json:"highly"` // of these, of grade 2
}

func newResult() Result {
	return Result{Kinds: map[string]int{}, Languages: map[string]int{}, Hazards: map[string]HazardCount{}, Topics: map[string]TopicCount{}}
}

// add counts other into r, but not its topics, which are counted once.
func (r *Result) add(other Result) {
	r.Files += other.Files
	r.Bytes += other.Bytes
	r.Rows += other.Rows
	r.Documents += other.Documents
	r.Patents += other.Patents
	r.DeadLetters += other.DeadLetters
	r.Aliens += other.Aliens
	r.Unclassified += other.Unclassified
	r.NoAbstract += other.NoAbstract
	r.Citations += other.Citations
	r.CrossCitations += other.CrossCitations
	for kind, n := range other.Kinds {
		r.Kinds[kind] += n
	}
	for lang, n := range other.Languages {
		r.Languages[lang] += n
	}
	for name, n := range other.Hazards {
		sum := r.Hazards[name]
		sum.Files += n.Files
		sum.Rows += n.Rows
		sum.DeadLetters += n.DeadLetters
		sum.Aliens += n.Aliens
		r.Hazards[name] = sum
	}
}
