package trec

// Options say how ids and scores are read. The zero value is what trec_eval does, on canonical ids.
type Options struct {
	RawIDs bool // ids stay as written
	Exact  bool // scores are compared as float64
}
