package pipelines

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/workspace"
)

// rowsOf counts the rows of Parquet files by their footers; nil when there are none.
func rowsOf(r ref) (*int64, error) {
	var rows int64
	found := false
	for _, path := range r.paths {
		files := []string{path}
		if filepath.Ext(path) != ".parquet" {
			if r.name != documents && r.name != patents && !strings.HasPrefix(r.name, "pools/") {
				continue
			}
			var err error
			if files, err = workspace.TableFiles(path); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			n, err := footerRows(file)
			if err != nil {
				return nil, fmt.Errorf("count the rows of %s: %w", file, err)
			}
			rows += n
			found = true
		}
	}
	if !found {
		return nil, nil
	}
	return &rows, nil
}

func footerRows(path string) (n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	s, err := f.Stat()
	if err != nil {
		return 0, err
	}
	p, err := parquet.OpenFile(f, s.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return 0, err
	}
	return p.NumRows(), nil
}
