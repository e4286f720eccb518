package duck

// newestFirst orders the rows of one ucid in documents/. A file without a production date is the oldest; of equal
// dates the later Kafka record wins. Topic, partition and offset name a row, so the order is total.
const newestFirst = `date_produced DESC NULLS LAST, source.timestamp DESC, source.topic DESC, source."partition" DESC, source."offset" DESC`

// Superseded is a query for the rows of documents/ that a newer row of the same ucid replaces, as columns filename
// and file_row_number. files is read_parquet(...) over documents files. It reads narrow columns only, and sorts only
// the ucids that occur more than once.
func Superseded(files string) string {
	return `SELECT filename, file_row_number FROM (
		SELECT filename, file_row_number, row_number() OVER (PARTITION BY ucid ORDER BY ` + newestFirst + `, filename, file_row_number) AS age
		FROM (SELECT filename, file_row_number, ucid, date_produced, source FROM ` + files + `)
		SEMI JOIN (SELECT ucid FROM ` + files + ` GROUP BY ucid HAVING count(*) > 1) USING (ucid)
	) WHERE age > 1`
}
