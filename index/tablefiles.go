package index

import (
	"path/filepath"
	"slices"
	"strings"
)

// TableFiles lists the files of a Parquet table in a folder by name, without those that are being written. A folder
// that does not exist has none.
func TableFiles(dir string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(paths, func(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }), nil
}
