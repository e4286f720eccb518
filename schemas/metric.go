package schemas

// Metric is one measure of one topic: one row of reports/<name>/topics.parquet.
type Metric struct {
	TopicID string  `parquet:"topic_id,dict" doc:"topic"`
	Measure string  `parquet:"measure,dict" doc:"Recall, MAP, PRES ..."`
	Cutoff  int32   `parquet:"cutoff" doc:"rank cut-off"`
	Value   float64 `parquet:"value" doc:"value of the measure"`
	Model   string  `parquet:"model,dict" doc:"run that was measured"`
	Pool    string  `parquet:"pool,dict" doc:"pool the run re-ranks"`
}
