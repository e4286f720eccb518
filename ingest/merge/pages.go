package merge

import (
	"context"
	"fmt"
	"strings"

	"dssdnet/internal/duck"
)

// pages visits the rows of a table in the order it was made in, a page at a time. fields are the places that columns
// are scanned into.
func pages[R any](ctx context.Context, db *duck.DB, table, columns string, fields func(*R) []any, visit func(R) error) error {
	for first := 0; ; first += pageRows {
		n, err := page(ctx, db, fmt.Sprintf("SELECT %s FROM %s WHERE rowid >= %d AND rowid < %d ORDER BY rowid", columns, table, first, first+pageRows), fields, visit)
		if err != nil || n == 0 {
			return err
		}
	}
}

func page[R any](ctx context.Context, db *duck.DB, query string, fields func(*R) []any, visit func(R) error) (int, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var row R
		if err := rows.Scan(fields(&row)...); err != nil {
			return n, err
		}
		if err := visit(row); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

func literals(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = duck.Literal(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
