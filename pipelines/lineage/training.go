package lineage

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dssdnet/train"
)

// curvePoints is how many steps of a training are told at most, evenly spread; validations are told all.
const curvePoints = 2000

// folder is one training of a run: the run's own folder, or that of a seed.
type folder struct {
	name string // "", or seed-1
	path string
}

// trainings are the folders of checkpoints/<run>.
func trainings(dir string) ([]folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := []folder{{path: dir}}
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), "seed-") {
			all = append(all, folder{e.Name(), filepath.Join(dir, e.Name())})
		}
	}
	return all, nil
}

// curve reads the losses of a training in batches of a bounded size. A line that a kill cut ends the reading. A
// folder without metrics has none.
func (f folder) curve(timestamp int64, take func([]metric) error) error {
	path := filepath.Join(f.path, "metrics.jsonl")
	lines, err := countLines(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	stride := lines/curvePoints + 1
	var points []metric
	n := 0
	err = eachMetric(path, func(m train.Metric) error {
		n++
		if m.Split == "train" && n%stride != 0 {
			return nil
		}
		points = append(points, f.points(m, timestamp)...)
		if len(points) < maxMetrics {
			return nil
		}
		err := take(points)
		points = points[:0]
		return err
	})
	if err != nil {
		return err
	}
	return take(points)
}

// points are the values of one line.
func (f folder) points(m train.Metric, timestamp int64) []metric {
	var all []metric
	add := func(name string, value float64) {
		if f.name != "" {
			name = f.name + "/" + name
		}
		all = append(all, metric{key(name), value, timestamp, m.Step})
	}
	add(m.Split+"/loss", m.Loss)
	for name, value := range m.Terms {
		add(m.Split+"/"+name, value)
	}
	if m.Accuracy != nil {
		add(m.Split+"/accuracy", *m.Accuracy)
	}
	if m.LearningRate > 0 {
		add(m.Split+"/learning_rate", m.LearningRate)
		add(m.Split+"/pairs_per_second", m.PairsPerSecond)
	}
	return all
}

func countLines(path string) (n int, err error) {
	err = eachMetric(path, func(train.Metric) error { n++; return nil })
	return n, err
}

func eachMetric(path string, take func(train.Metric) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m train.Metric
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return nil
		}
		if err := take(m); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}
