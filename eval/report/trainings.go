package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/train"
)

// metricsName is the file of dssdnet train that has the losses.
const metricsName = "metrics.jsonl"

// trainings reads the training runs of the call, or all of the workspace.
func (c Config) trainings() ([]Training, error) {
	dirs := c.Training
	if len(dirs) == 0 {
		root := filepath.Join(string(c.Workspace), "checkpoints")
		for _, pattern := range []string{"*", filepath.Join("*", "seed-*")} {
			found, err := filepath.Glob(filepath.Join(root, pattern, metricsName))
			if err != nil {
				return nil, err
			}
			for _, path := range found {
				dirs = append(dirs, filepath.Dir(path))
			}
		}
		slices.Sort(dirs)
	}
	all := []Training{}
	for _, dir := range dirs {
		t, err := readTraining(dir)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func readTraining(dir string) (Training, error) {
	t := Training{Name: trainingName(dir), Train: []LossPoint{}, Valid: []LossPoint{}}
	if err := t.readMetrics(filepath.Join(dir, metricsName)); err != nil {
		return t, err
	}
	t.Train = thinned(t.Train)
	best := filepath.Join(dir, "best")
	var state struct {
		Seed     uint64         `json:"seed"`
		Train    string         `json:"train_sha256"`
		Settings map[string]any `json:"settings"`
	}
	if err := readJSON(filepath.Join(best, "trainer_state.json"), &state); err != nil {
		return t, err
	}
	t.Seed, t.Pairs, t.Settings = state.Seed, state.Train, state.Settings
	var config struct {
		Ours struct {
			Model string `json:"model"`
		} `json:"dssdnet"`
	}
	if err := readJSON(filepath.Join(best, "config.json"), &config); err != nil {
		return t, err
	}
	t.Model = config.Ours.Model
	weights, err := manifest.HashInput(filepath.Join(best, "model.safetensors"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	t.Weights = weights.SHA256
	return t, nil
}

// trainingName is the run, with the seed when it has several: dssdnet/seed-1.
func trainingName(dir string) string {
	name := filepath.Base(dir)
	if strings.HasPrefix(name, "seed-") {
		return filepath.Base(filepath.Dir(dir)) + "/" + name
	}
	return name
}

func (t *Training) readMetrics(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fault.New(fault.Usage, "--training: %w: want a folder of dssdnet train, checkpoints/<run> or checkpoints/<run>/seed-<n>", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m train.Metric
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			break // the last line of a run that is under way can be cut
		}
		point := LossPoint{Step: m.Step, Loss: rounded(m.Loss), Accuracy: m.Accuracy}
		if m.Split == "valid" {
			t.Valid = append(t.Valid, point)
		} else {
			t.Train = append(t.Train, point)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// readJSON leaves value alone when there is no file: a run under way may have no best checkpoint yet.
func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fault.New(fault.Rejected, "%s is damaged: %w", path, err)
	}
	return nil
}

// curvePoints is how many points a loss curve has at most.
const curvePoints = 300

// thinned replaces neighbouring points by their mean, at the last of their steps.
func thinned(points []LossPoint) []LossPoint {
	if len(points) <= curvePoints {
		return points
	}
	var few []LossPoint
	for i := range curvePoints {
		some := points[i*len(points)/curvePoints : (i+1)*len(points)/curvePoints]
		mean := LossPoint{Step: some[len(some)-1].Step}
		for _, p := range some {
			mean.Loss += p.Loss / float64(len(some))
		}
		mean.Loss = rounded(mean.Loss)
		few = append(few, mean)
	}
	return few
}
