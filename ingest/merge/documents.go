package merge

import (
	"fmt"
	"os"
	"path/filepath"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// documentFile is a file of documents/. Such files are never rewritten, so name and size tell it apart.
type documentFile struct {
	path string
	name string
	size int64
}

// listDocuments returns the files of documents/ by name. A folder that is not there has none.
func listDocuments(dir string) ([]documentFile, error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, fmt.Errorf("list documents: %w", err)
	}
	var files []documentFile
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil {
			return nil, fmt.Errorf("list documents: %w", err)
		}
		files = append(files, documentFile{path: path, name: filepath.Base(path), size: info.Size()})
	}
	return files, nil
}

// checkDocuments refuses files that are damaged or of another version before any work is done.
func checkDocuments(files []documentFile) error {
	for _, file := range files {
		f, err := os.Open(file.path)
		if err != nil {
			return fmt.Errorf("documents file: %w", err)
		}
		_, err = schemas.Documents.Open(f, file.size)
		_ = f.Close()
		if err != nil {
			return fmt.Errorf("documents file %s cannot be read: %w", file.path, err)
		}
	}
	return nil
}
