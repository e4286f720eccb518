package pool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// EachQuery calls visit with every line of the pool's queries.jsonl, in the order of the topics.
func EachQuery(dir string, visit func(Query) error) error {
	path := filepath.Join(dir, QueriesFile)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	decoder := json.NewDecoder(bufio.NewReader(f))
	for n := 1; ; n++ {
		var q Query
		err := decoder.Decode(&q)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", path, n, err)
		}
		if err := visit(q); err != nil {
			return err
		}
	}
}
