package merge

import (
	"context"
	"fmt"
	"path/filepath"

	"dssdnet/internal/duck"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// plan is what DuckDB decided from the narrow columns of documents/. The lists that grow with the collection stay in
// its tables, sorted, and are read page by page: picks(file, row) and gone(patent_id).
type plan struct {
	db       *duck.DB
	ranges   []fileRange
	pickText int64 // text bytes of all picks
}

// pageRows is how many rows of a table are in Go's memory at a time: DuckDB's driver holds whole results.
const pageRows = 1 << 17

// plan decides which rows of files count, which of those are to be read for the patents that fresh files touch, and
// how patents/ is cut.
func (j *job) plan(ctx context.Context, files, fresh []documentFile) (*plan, error) {
	task := j.Progress.Start("merge: plan", 0, progress.Documents)
	defer task.Done()
	db, err := duck.Open(ctx, duck.Config{Memory: j.planMemory(), Threads: j.Threads, Temp: filepath.Join(j.temp, "duckdb")})
	if err != nil {
		return nil, err
	}
	p := &plan{db: db}
	if err := p.decide(ctx, j, files, fresh); err != nil {
		_ = p.close()
		return nil, fmt.Errorf("plan the merge: %w", err)
	}
	for _, step := range []string{
		"DROP TABLE newest", "DROP TABLE superseded", "DROP TABLE touched", "DROP TABLE sizes",
		fmt.Sprintf("SET memory_limit = '%dB'", j.tableMemory()),
	} {
		if _, err := db.ExecContext(ctx, step); err != nil {
			_ = p.close()
			return nil, fmt.Errorf("plan the merge: %w", err)
		}
	}
	return p, nil
}

func (p *plan) decide(ctx context.Context, j *job, files, fresh []documentFile) error {
	for _, step := range statements(files, fresh, j.result.Full) {
		if _, err := p.db.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	r := &j.result
	counts := p.db.QueryRowContext(ctx, `SELECT
		(SELECT count(*) FROM rows_all), (SELECT count(*) FROM superseded), (SELECT count(*) FROM newest WHERE deleted),
		(SELECT count(*) FROM newest WHERE NOT deleted), (SELECT count(*) FROM sizes), (SELECT count(*) FROM sizes WHERE touched),
		(SELECT count(*) FROM gone), (SELECT coalesce(sum(text_bytes), 0)::BIGINT FROM picks)`)
	if err := counts.Scan(&r.DocumentRows, &r.Superseded, &r.Deleted, &r.Documents, &r.Patents, &r.Touched, &r.Gone, &p.pickText); err != nil {
		return err
	}
	r.TextBytes = p.pickText
	if r.DocumentRows == 0 {
		return fault.New(fault.Rejected, "the %d files of documents/ hold no document: every record was a dead letter; see `dssdnet ingest dlq list`", len(files))
	}
	return p.layOut(ctx, int64(j.FileBytes))
}

// layOut cuts patents/ and marks the ranges that lost or change a patent.
func (p *plan) layOut(ctx context.Context, fileBytes int64) error {
	cut := newLayout(fileBytes)
	type size struct {
		id      string
		bytes   int64
		touched bool
	}
	err := pages(ctx, p.db, "sizes", "patent_id, text_bytes, touched", func(s *size) []any { return []any{&s.id, &s.bytes, &s.touched} },
		func(s size) error { cut.add(s.id, s.bytes, s.touched); return nil })
	if err != nil {
		return err
	}
	p.ranges = cut.ranges()
	return p.eachGone(ctx, func(id string) error { p.ranges[locate(p.ranges, id)].touched = true; return nil })
}

// eachGone visits the touched patents that have no document left, in order.
func (p *plan) eachGone(ctx context.Context, visit func(patentID string) error) error {
	return pages(ctx, p.db, "gone", "patent_id", func(id *string) []any { return []any{id} }, visit)
}

// picks returns the row numbers to read of one documents file, in order.
func (p *plan) picks(ctx context.Context, file int) ([]int64, error) {
	rows, err := p.db.QueryContext(ctx, "SELECT row FROM picks WHERE file = ? ORDER BY row", file)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var picks []int64
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, err
		}
		picks = append(picks, row)
	}
	return picks, rows.Err()
}

func (p *plan) close() error { return p.db.Close() }

// statements are the steps of the plan. A table made with ORDER BY keeps that order in its rowids.
func statements(files, fresh []documentFile, full bool) []string {
	all := "read_parquet(" + duck.Files(paths(files)) + ")"
	touched := "SELECT DISTINCT patent_id FROM " + all
	if !full && len(fresh) == 0 {
		touched = "SELECT ''::VARCHAR AS patent_id WHERE false"
	} else if !full {
		touched = "SELECT DISTINCT patent_id FROM read_parquet(" + duck.Files(paths(fresh)) + ")"
	}
	numbers := "CREATE TABLE files AS SELECT unnest(" + literals(paths(files)) + ") AS filename, unnest(range(" + fmt.Sprint(len(files)) + "))::INTEGER AS file"
	return []string{
		numbers,
		"CREATE TABLE superseded AS " + duck.Superseded(all),
		"CREATE VIEW rows_all AS SELECT ucid FROM " + all,
		`CREATE TABLE newest AS
			SELECT file, file_row_number AS row, patent_id, text_bytes, coalesce(lower(status) IN ('deleted', 'd'), false) AS deleted
			FROM (SELECT filename, file_row_number, patent_id, text_bytes, status FROM ` + all + `)
			ANTI JOIN superseded USING (filename, file_row_number) JOIN files USING (filename)`,
		"CREATE TABLE touched AS " + touched,
		`CREATE TABLE sizes AS
			SELECT patent_id, sum(text_bytes)::BIGINT AS text_bytes, patent_id IN (FROM touched) AS touched
			FROM newest WHERE NOT deleted GROUP BY patent_id ORDER BY patent_id`,
		`CREATE TABLE picks AS SELECT file, row, text_bytes FROM newest SEMI JOIN touched USING (patent_id) WHERE NOT deleted ORDER BY file, row`,
		"CREATE TABLE gone AS SELECT patent_id FROM touched ANTI JOIN sizes USING (patent_id) ORDER BY patent_id",
	}
}

func paths(files []documentFile) []string {
	list := make([]string, len(files))
	for i, f := range files {
		list[i] = f.path
	}
	return list
}
