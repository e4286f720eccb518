package repro

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/internal/workspace"
)

// read finds the figure in the workspace.
func (f Figure) read(ws workspace.Dir) (float64, error) {
	switch {
	case f.File != "":
		return f.readFile(ws)
	case f.System != "":
		return f.readSystem(ws)
	}
	var r eval.Result
	if err := decode(filepath.Join(ws.Table("reports"), f.Report, "eval.json"), &r); err != nil {
		return 0, err
	}
	for _, run := range r.Runs {
		if run.Name != f.Run {
			continue
		}
		values := run.All.Values
		if f.Slice != "" {
			values = nil
			for _, part := range run.Slices {
				if part.Slice+" "+part.Part == f.Slice {
					values = part.Values
				}
			}
		}
		if value, ok := values[f.Measure]; ok {
			return value, nil
		}
		return 0, fmt.Errorf("report %s, run %s has no %s", f.Report, f.Run, strings.TrimSpace(f.Slice+" "+f.Measure))
	}
	return 0, fmt.Errorf("report %s has no run %s", f.Report, f.Run)
}

// readSystem takes compare.json, which eval compare writes, or report.json of eval report.
func (f Figure) readSystem(ws workspace.Dir) (float64, error) {
	dir := filepath.Join(ws.Table("reports"), f.Report)
	var r compare.Result
	if err := decode(filepath.Join(dir, "compare.json"), &r); os.IsNotExist(err) {
		var page struct {
			Compare compare.Result `json:"compare"`
		}
		if err := decode(filepath.Join(dir, "report.json"), &page); err != nil {
			return 0, err
		}
		r = page.Compare
	} else if err != nil {
		return 0, err
	}
	for _, s := range r.Systems {
		for _, score := range s.Scores {
			if s.Name == f.System && score.Measure == f.Measure {
				return score.Mean, nil
			}
		}
	}
	return 0, fmt.Errorf("report %s has no %s of system %s", f.Report, f.Measure, f.System)
}

func (f Figure) readFile(ws workspace.Dir) (float64, error) {
	var value any
	if err := decode(filepath.Join(string(ws), filepath.FromSlash(f.File)), &value); err != nil {
		return 0, err
	}
	for key := range strings.SplitSeq(f.At, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(v) {
				return 0, fmt.Errorf("%s has no %s: %q is no place in a list of %d", f.File, f.At, key, len(v))
			}
			value = v[i]
		default:
			value = nil
		}
	}
	number, ok := value.(float64)
	if !ok {
		return 0, fmt.Errorf("%s has no number at %s", f.File, f.At)
	}
	return number, nil
}

func decode(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
