package query

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"strings"

	"dssdnet/internal/duck"
)

const (
	// cellChars is how much of a value is fetched for a table: no terminal is wider.
	cellChars = 2000
	// defaultWidth is the width of a table when none is set.
	defaultWidth = 120
)

// column is a column of the result.
type column struct {
	name   string
	number bool
}

// table prints up to maxRows rows, aligned.
func (q *query) table(ctx context.Context, out io.Writer, maxRows, width int) (Result, error) {
	columns, err := q.columns(ctx)
	if err != nil {
		return Result{}, err
	}
	cells, err := q.cells(ctx, columns, maxRows+1)
	if err != nil {
		return Result{}, err
	}
	result := Result{Rows: int64(min(len(cells), maxRows)), More: len(cells) > maxRows}
	if width == 0 {
		width = defaultWidth
	}
	g := newGrid(columns, cells[:result.Rows], width)
	if err := g.print(out); err != nil {
		return Result{}, fmt.Errorf("write the result: %w", err)
	}
	if _, err := fmt.Fprintln(out, footer(result, len(columns), g.shown())); err != nil {
		return Result{}, fmt.Errorf("write the result: %w", err)
	}
	return result, nil
}

func footer(r Result, columns, shown int) string {
	text := fmt.Sprintf("(%d rows", r.Rows)
	if r.Rows == 1 {
		text = "(1 row"
	}
	if r.More {
		text = fmt.Sprintf("(the first %d rows; --max-rows shows more, --format csv all", r.Rows)
	}
	if shown < columns {
		text += fmt.Sprintf("; %d of %d columns: name those you need, or use --width", shown, columns)
	}
	return text + ")"
}

func (q *query) columns(ctx context.Context) ([]column, error) {
	rows, err := q.conn.QueryContext(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM "+q.selected()+")")
	if err != nil {
		return nil, explainRun(err, q.missing)
	}
	defer rows.Close()
	var columns []column
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			return nil, err
		}
		columns = append(columns, column{name: name, number: isNumber(kind)})
	}
	return columns, rows.Err()
}

func isNumber(kind string) bool {
	if strings.HasSuffix(kind, "]") {
		return false
	}
	kind, _, _ = strings.Cut(kind, "(")
	switch kind {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL":
		return true
	default:
		return false
	}
}

// cells returns the values of up to limit rows as DuckDB writes them.
func (q *query) cells(ctx context.Context, columns []column, limit int) ([][]sql.NullString, error) {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = fmt.Sprintf("left(CAST(%s AS VARCHAR), %d)", duck.Ident(c.name), cellChars)
	}
	rows, err := q.conn.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(list, ", "), q.selected(), limit))
	if err != nil {
		return nil, explainRun(err, q.missing)
	}
	defer rows.Close()
	var cells [][]sql.NullString
	for rows.Next() {
		row := make([]sql.NullString, len(columns))
		fields := make([]any, len(columns))
		for i := range row {
			fields[i] = &row[i]
		}
		if err := rows.Scan(fields...); err != nil {
			return nil, err
		}
		cells = append(cells, row)
	}
	return cells, rows.Err()
}
