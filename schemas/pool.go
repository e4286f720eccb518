package schemas

// Pool is one candidate of a topic in BM25 order: one row of pools/<name>/.
type Pool struct {
	TopicID    string  `parquet:"topic_id,dict" doc:"topic"`
	PatentID   string  `parquet:"patent_id" doc:"candidate patent"`
	Rank       int32   `parquet:"rank" doc:"rank in the pool, from 1"`
	Score      float64 `parquet:"score" doc:"BM25 score"`
	IndexBuild string  `parquet:"index_build,dict" doc:"index build that was searched"`
}
