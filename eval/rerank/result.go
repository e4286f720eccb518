package rerank

// Result of one run.
type Result struct {
	Skipped  bool   `json:"skipped"` // nothing had changed; the rest is of the run that was made
	Run      string `json:"run"`
	File     string `json:"file"`
	Model    string `json:"model,omitempty"` // version of the current model, when that was asked for
	Complete bool   `json:"complete"`        // the run is whole; false while other shards have parts to make

	Topics        int `json:"topics"`         // of this shard
	ResumedTopics int `json:"resumed_topics"` // of these, scored before
	Rows          int `json:"rows"`           // of the topics scored now
	Scored        int `json:"scored"`
	WithoutText   int `json:"without_text"`   // rows that keep the pool's order, below the others
	BehindDepth   int `json:"behind_depth"`   // rows behind --depth: they keep the pool's order as well
	TopicsWithout int `json:"topics_without"` // topics without a text: none of their rows is scored
	EqualScores   int `json:"equal_scores"`   // topics whose scores are all the same: the model has collapsed
	Batches       int `json:"batches"`
	Tokens        int `json:"tokens"`        // of the pairs
	PaddedTokens  int `json:"padded_tokens"` // with their padding

	PairsPerSecond float64 `json:"pairs_per_second"`
	Seconds        float64 `json:"seconds"`
}
