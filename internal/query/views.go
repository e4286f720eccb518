package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dssdnet/internal/duck"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// view is a table as queries see it.
type view struct {
	table schemas.Table
	files string // pattern of its files below the workspace
	by    string // command that makes it
	sql   func(from string) map[string]string
}

// views are the tables of schemas.Parquet in their order.
var views = []view{
	{schemas.Documents, "documents/*.parquet", "dssdnet ingest publish` and `dssdnet ingest consume", func(from string) map[string]string {
		return map[string]string{
			"documents_all": "SELECT * FROM " + from,
			"documents": "SELECT * FROM " + from + " d WHERE NOT EXISTS (SELECT 1 FROM (" + duck.Superseded(from) +
				") s WHERE s.filename = d.filename AND s.file_row_number = d.file_row_number)",
		}
	}},
	{schemas.Patents, "patents/*.parquet", "dssdnet ingest merge", func(from string) map[string]string {
		return map[string]string{"patents": "SELECT *, title AS title_en, abstract AS abstract_en, claims AS claims_en, description AS description_en FROM " + from}
	}},
	{schemas.Topics, "topics/*.parquet", "dssdnet ingest topics", plain("topics")},
	{schemas.Qrels, "qrels/*.parquet", "dssdnet ingest qrels", plain("qrels")},
	{schemas.Pools, "pools/*/*.parquet", "dssdnet index search", func(from string) map[string]string {
		return map[string]string{"pools": "SELECT *, parse_path(filename)[-2] AS pool FROM " + from}
	}},
	{schemas.Metrics, "reports/*/topics.parquet", "dssdnet eval", func(from string) map[string]string {
		return map[string]string{"metrics": "SELECT *, parse_path(filename)[-2] AS report FROM " + from}
	}},
}

func plain(name string) func(string) map[string]string {
	return func(from string) map[string]string { return map[string]string{name: "SELECT * FROM " + from} }
}

// createViews makes the views of the tables that exist, and returns the command that makes each other one.
func createViews(ctx context.Context, db *sql.Conn, w workspace.Dir) (missing map[string]string, err error) {
	missing = map[string]string{}
	for _, v := range views {
		files, err := v.find(w)
		if err != nil {
			return nil, fmt.Errorf("find the files of %s: %w", v.table.Name, err)
		}
		if len(files) > 0 {
			if err := check(v.table, files[0]); err != nil {
				return nil, fmt.Errorf("%s: %w", files[0], err)
			}
		}
		for name, query := range v.sql("read_parquet(" + duck.Files(files) + ")") {
			if len(files) == 0 {
				missing[name] = v.by
				continue
			}
			if _, err := db.ExecContext(ctx, "CREATE VIEW "+duck.Ident(name)+" AS "+query); err != nil {
				return nil, fmt.Errorf("make the view %s: %w", name, err)
			}
		}
	}
	return missing, nil
}

// find returns the files of the table. Unfinished ones, whose names begin with a dot, are no part of it.
func (v view) find(w workspace.Dir) ([]string, error) {
	root := os.DirFS(string(w))
	names, err := fs.Glob(root, v.files)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range names {
		if !strings.Contains("/"+name, "/.") {
			files = append(files, filepath.Join(string(w), filepath.FromSlash(name)))
		}
	}
	return files, nil
}

// check refuses a file that this build does not read.
func check(table schemas.Table, path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("the file is being replaced: ask again")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_, err = table.Open(f, info.Size())
	return err
}
