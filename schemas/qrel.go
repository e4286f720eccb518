package schemas

// Qrel is one relevance judgement at patent level: one row of qrels/.
type Qrel struct {
	TopicID     string `parquet:"topic_id" doc:"topic"`
	PatentID    string `parquet:"patent_id" doc:"relevant patent (gold), canonical"`
	Grade       int32  `parquet:"grade" doc:"2 highly relevant (X, Y), 1 relevant; the highest over the patent's documents"`
	Set         string `parquet:"set,dict" doc:"name of the qrels set"`
	BrokenTopic bool   `parquet:"broken_topic" doc:"the topic has more golds than --max-golds-per-topic: a known defect of 45 topics of 2010"`
}
