package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dssdnet/internal/durable"
)

const metricsFile = "metrics.jsonl"

// Metric is a line of metrics.jsonl. Losses are means over pairs; Terms are unweighted.
type Metric struct {
	Step           int                `json:"step"` // steps taken
	Epoch          float64            `json:"epoch"`
	Split          string             `json:"split"` // train or valid
	Loss           float64            `json:"loss"`
	Terms          map[string]float64 `json:"terms"`
	Accuracy       *float64           `json:"accuracy,omitempty"` // valid only: share of pairs on the right side of 1/2
	LearningRate   float64            `json:"learning_rate,omitempty"`
	PairsPerSecond float64            `json:"pairs_per_second,omitempty"`
}

// recorder writes the metrics of a run, as lines and as TensorBoard events.
type recorder struct {
	lines  *os.File
	events *eventFile
}

// openRecorder goes on after a step: lines of later steps, which a killed run wrote, are dropped.
func openRecorder(dir string, step int) (*recorder, error) {
	path := filepath.Join(dir, metricsFile)
	if err := trimMetrics(path, step); err != nil {
		return nil, err
	}
	lines, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open the metrics: %w", err)
	}
	events, err := createEvents(dir, time.Now(), step)
	if err != nil {
		_ = lines.Close()
		return nil, err
	}
	return &recorder{lines, events}, nil
}

func trimMetrics(path string, step int) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the metrics: %w", err)
	}
	var kept bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m Metric
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.Step > step {
			break // the rest was written later, or a kill cut the line
		}
		kept.Write(lines.Bytes())
		kept.WriteByte('\n')
	}
	if kept.Len() == len(data) {
		return nil
	}
	return durable.WriteFile(path, kept.Bytes())
}

func (r *recorder) write(m Metric) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("metrics of step %d: %w", m.Step, err)
	}
	if _, err := r.lines.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the metrics: %w", err)
	}
	scalars := map[string]float64{m.Split + "/loss": m.Loss}
	for name, v := range m.Terms {
		scalars[m.Split+"/"+name] = v
	}
	if m.Accuracy != nil {
		scalars[m.Split+"/accuracy"] = *m.Accuracy
	}
	if m.LearningRate > 0 {
		scalars["train/learning_rate"] = m.LearningRate
		scalars["train/pairs_per_second"] = m.PairsPerSecond
	}
	return r.events.scalars(time.Now(), m.Step, scalars)
}

func (r *recorder) close() error { return errors.Join(r.lines.Close(), r.events.close()) }
