package report

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"dssdnet/eval/compare"
	"dssdnet/internal/durable"
	"dssdnet/internal/manifest"
)

// GateFile is the file in the folder of a report that holds the decision over a model: dssdnet promote leaves it.
const GateFile = "gate.json"

// Gate is the decision over a model that took part in a report.
type Gate struct {
	Version     string          `json:"version"`
	Promoted    bool            `json:"promoted"`
	Reason      string          `json:"reason"`
	Baseline    string          `json:"baseline,omitempty"` // version that was current
	Rule        compare.Gate    `json:"rule"`
	Run         manifest.Input  `json:"run"`                    // of the model, its path below the workspace
	BaselineRun *manifest.Input `json:"baseline_run,omitempty"` // of the version that was current
}

// String is the decision in a sentence.
func (g Gate) String() string {
	if g.Promoted {
		return fmt.Sprintf("%s was promoted: %s.", g.Version, g.Reason)
	}
	return fmt.Sprintf("%s was refused: %s.", g.Version, g.Reason)
}

// Write puts the decision into the folder of a report.
func (g Gate) Write(dir string) error {
	data, err := json.MarshalIndent(g, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, GateFile), append(data, '\n'))
}

// takeGate reads the decision in the report's folder, if it is about one of the runs: a report is often made again for
// others. The run of the model that was current joins them.
func (c *Config) takeGate() (*Gate, error) {
	var g *Gate
	if err := readJSON(filepath.Join(c.Dir(), GateFile), &g); err != nil || g == nil {
		return nil, err
	}
	concerned, compared := false, g.BaselineRun == nil
	for _, path := range c.RunFiles() {
		input, err := manifest.HashInput(path)
		if err != nil {
			return nil, nil //nolint:nilerr // who reads the run says it better
		}
		concerned = concerned || input.SHA256 == g.Run.SHA256
		compared = compared || input.SHA256 == g.BaselineRun.SHA256
	}
	if !concerned {
		return nil, nil
	}
	if !compared {
		path := filepath.Join(string(c.Workspace), g.BaselineRun.Path)
		if input, err := manifest.HashInput(path); err == nil && input.SHA256 == g.BaselineRun.SHA256 {
			c.Runs = append(c.Runs, path)
		} else {
			c.Log.Warn("the run of the model that was current is not there any more: the report lacks it", "model", g.Baseline, "run", path)
		}
	}
	return g, nil
}
