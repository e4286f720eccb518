package peers

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dssdnet/index/analysis"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

const (
	documentsFile = "documents.txt"
	topicsFile    = "topics.txt"
)

// Topic is a query for the peers: a bag of terms, repeated as often as they count.
type Topic struct {
	ID    string
	Terms []string
}

// WriteTopics writes the queries into the folder dir.
func WriteTopics(dir string, topics []Topic) error {
	return writeLines(filepath.Join(dir, topicsFile), func(add func(id string, terms []string) error) error {
		for _, topic := range topics {
			if err := add(topic.ID, topic.Terms); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteDocuments writes title and abstract of the patents in the folder patents/ into dir, as the analyzer of that name
// makes terms of them. It returns the patent ids in the order of the lines.
func WriteDocuments(dir, patents, analyzer string) (ids []string, err error) {
	analyst, err := analysis.New(analyzer)
	if err != nil {
		return nil, err
	}
	paths, err := workspace.TableFiles(patents)
	if err != nil {
		return nil, err
	}
	err = writeLines(filepath.Join(dir, documentsFile), func(add func(id string, terms []string) error) error {
		for _, path := range paths {
			err := schemas.EachRow(schemas.Patents, path, func(p *patent) error {
				ids = append(ids, p.ID)
				return add(p.ID, slices.Concat(analyst.Sequence(p.Title), analyst.Sequence(p.Abstract)))
			})
			if err != nil {
				return fmt.Errorf("patents %s: %w", path, err)
			}
		}
		return nil
	})
	return ids, err
}

// patent is the columns of patents/ that are handed over.
type patent struct {
	ID       string `parquet:"patent_id"`
	Title    string `parquet:"title"`
	Abstract string `parquet:"abstract"`
}

func writeLines(path string, fill func(add func(id string, terms []string) error) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	err = fill(func(id string, terms []string) error {
		_, err := fmt.Fprintf(w, "%s\t%s\n", id, strings.Join(terms, " "))
		return err
	})
	return errors.Join(err, w.Flush(), f.Close())
}
