package registry

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"dssdnet/eval/compare"
	"dssdnet/internal/manifest"
)

// Format is the version of model.json.
//
//	1  first
const Format = 1

// Status is what the gate said of a version.
type Status string

// The gate's answers.
const (
	Promoted Status = "promoted"
	Refused  Status = "refused"
)

// Model is a version: models/<version>/model.json.
type Model struct {
	Format  int       `json:"format"`
	Version string    `json:"version"`
	Created time.Time `json:"created"`
	Status  Status    `json:"status"`
	Reason  string    `json:"reason"`
	// Baseline is the version that was current, "" for a first model.
	Baseline string       `json:"baseline,omitempty"`
	Gate     compare.Gate `json:"gate"`
	Set      string       `json:"set"`               // qrels of the test topics
	Against  string       `json:"against,omitempty"` // what differences are to: the baseline, pool NAME, or "" for none
	Figures  []Figure     `json:"figures"`           // that of the gate first
	Lineage  Lineage      `json:"lineage"`

	// Damage says why the version's model.json cannot be read; then all but Version is empty.
	Damage string `json:"damage,omitempty"`
}

// Figure is the mean of a measure over the test topics, with its comparison.
type Figure struct {
	Measure  string        `json:"measure"`
	Mean     float64       `json:"mean"`
	Baseline *float64      `json:"baseline,omitempty"` // mean of what it was compared with
	Test     *compare.Test `json:"test,omitempty"`
}

// Lineage is what a version was made of.
type Lineage struct {
	Tool        string `json:"tool"`
	Pipeline    string `json:"pipeline,omitempty"`
	PipelineRun string `json:"pipeline_run,omitempty"`

	Training   string           `json:"training"`       // checkpoints/<training>/best
	Network    string           `json:"network"`        // dssdnet, or an ablation
	Encoder    string           `json:"encoder"`        // that the chain of trainings started from
	Init       string           `json:"init,omitempty"` // version or folder whose weights this training started from
	Seed       uint64           `json:"seed"`
	Steps      int              `json:"steps"` // of the best checkpoint
	ValidLoss  *float64         `json:"valid_loss"`
	Settings   map[string]any   `json:"settings"` // of the training
	Checkpoint []manifest.Input `json:"checkpoint"`

	Pairs       string           `json:"pairs,omitempty"` // pairs/<pairs>
	TrainSHA256 string           `json:"train_sha256"`    // content of the training pairs
	ValidSHA256 string           `json:"valid_sha256"`
	Inputs      []manifest.Input `json:"inputs"` // of the training: pairs, encoder
	Data        []manifest.Input `json:"data"`   // that the pairs were sampled from
	Groups      []manifest.Input `json:"groups"` // test topics with their candidates
	Qrels       []manifest.Input `json:"qrels"`
	Run         manifest.Input   `json:"run"` // TREC run of the version
	BaselineRun *manifest.Input  `json:"baseline_run,omitempty"`
}

// weightsFile is the file of a checkpoint that tells models apart.
const weightsFile = "model.safetensors"

// Weights is the hash of the version's weights.
func (l Lineage) Weights() string {
	for _, file := range l.Checkpoint {
		if file.Path == weightsFile {
			return file.SHA256
		}
	}
	return ""
}

// readModel reads a model.json.
func readModel(path string) (Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Model{}, err
	}
	var m Model
	if err := json.Unmarshal(data, &m); err != nil {
		return Model{}, fmt.Errorf("%s is damaged: %w", path, err)
	}
	if m.Format > Format {
		return Model{}, fmt.Errorf("%s has format %d, this dssdnet reads up to %d: upgrade dssdnet", path, m.Format, Format)
	}
	return m, nil
}
