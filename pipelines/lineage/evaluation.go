package lineage

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"dssdnet/eval"
)

// evaluation are the averages of the runs that reports/<name> scores. A folder without eval.json has none.
func evaluation(dir string, timestamp int64) ([]metric, error) {
	path := filepath.Join(dir, "eval.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var result eval.Result
	if err := json.Unmarshal(data, &result); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	var all []metric
	for _, run := range result.Runs {
		for _, name := range slices.Sorted(maps.Keys(run.All.Values)) {
			all = append(all, metric{key(run.Name + "/" + name), run.All.Values[name], timestamp, 0})
		}
	}
	if result.Pool != nil {
		all = append(all, metric{key(result.Pool.Name + "/ceiling"), result.Pool.Ceiling, timestamp, 0})
	}
	return all, nil
}

// numbers are the counts and figures of a stage's result, those of its first level.
func numbers(result any, timestamp int64) []metric {
	data, err := json.Marshal(result)
	if err != nil {
		return nil // a figure that is not a number; the files of the step have the others
	}
	var fields map[string]any
	if json.Unmarshal(data, &fields) != nil {
		return nil
	}
	var all []metric
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if value, ok := fields[name].(float64); ok {
			all = append(all, metric{key("result/" + name), value, timestamp, 0})
		}
	}
	return all
}
