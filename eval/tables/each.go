package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

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
		if err := eachOf(ctx, path, table, visit); err != nil {
			return fmt.Errorf("%s file %s: %w", table.Name, filepath.Base(path), err)
		}
	}
	return nil
}

func eachOf[R any](ctx context.Context, path string, table schemas.Table, visit func(path string, row *R) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := table.Open(f, info.Size())
	if err != nil {
		return err
	}
	reader := parquet.NewGenericReader[R](file)
	defer reader.Close()
	rows := make([]R, 256)
	for ctx.Err() == nil {
		clear(rows)
		n, err := reader.Read(rows)
		for i := range rows[:n] {
			if err := visit(path, &rows[i]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}
