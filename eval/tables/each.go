package tables

import (
	"context"
	"fmt"
	"path/filepath"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Each calls visit for every row of a table in a folder, reading the columns of R only. A folder that is not there
// has no row. The row is valid until visit returns, its strings for ever.
func Each[R any](ctx context.Context, dir string, table schemas.Table, visit func(path string, row *R) error) error {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		err := schemas.EachRow(table, path, func(row *R) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return visit(path, row)
		})
		if err != nil {
			return fmt.Errorf("%s file %s: %w", table.Name, filepath.Base(path), err)
		}
	}
	return nil
}
