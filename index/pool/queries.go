package pool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// MetaQueries is the key in the metadata of a file of a pool that a worker has drawn: the lines that queries.jsonl
// has for other pools, of the topics of this file.
const MetaQueries = "pool.queries"

// EachQuery calls visit with the line of every topic of a pool, in the order of the topics: from queries.jsonl, or from
// the metadata of the files.
func EachQuery(dir string, visit func(Query) error) error {
	path := filepath.Join(dir, QueriesFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return eachFile(dir, visit)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := lines(bufio.NewReader(f), visit); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// ParseQueries calls visit with every line of the value of MetaQueries.
func ParseQueries(text string, visit func(Query) error) error {
	return lines(strings.NewReader(text), visit)
}

func eachFile(dir string, visit func(Query) error) error {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := queriesOf(path, visit); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func queriesOf(path string, visit func(Query) error) error {
	file, err := schemas.Pools.OpenPath(path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, _ := file.Lookup(MetaQueries)
	return ParseQueries(text, visit)
}

func lines(r io.Reader, visit func(Query) error) error {
	decoder := json.NewDecoder(r)
	for n := 1; ; n++ {
		var q Query
		err := decoder.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d of the queries: %w", n, err)
		}
		if err := visit(q); err != nil {
			return err
		}
	}
}
