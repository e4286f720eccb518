package report

import (
	"dssdnet/eval"
	"dssdnet/eval/compare"
)

// Data is everything that the page shows, and report.json.
type Data struct {
	Title      string         `json:"title"`
	Tool       string         `json:"tool"`
	Gate       *Gate          `json:"gate,omitempty"`
	Eval       eval.Result    `json:"eval"`
	Compare    compare.Result `json:"compare"`
	Curves     Curves         `json:"curves"`
	Slices     []SlicePart    `json:"slices"`
	Points     Points         `json:"points"`
	Histograms []Histogram    `json:"histograms"`
	Trainings  []Training     `json:"trainings"`
	Explorer   Explorer       `json:"explorer"`
	Sources    Sources        `json:"sources"`
}

// Curves are measures over the cut-off k, by system.
type Curves struct {
	K        []int         `json:"k"`
	Measures []string      `json:"measures"`
	Values   [][][]float64 `json:"values"` // by measure, system and k
}

// SlicePart is the averages of one part of a slice, of all systems.
type SlicePart struct {
	Slice   string       `json:"slice"`
	Part    string       `json:"part"`
	Topics  int          `json:"topics"`
	Golds   int          `json:"golds"`
	Dropped int          `json:"dropped"`
	Values  [][]*float64 `json:"values"` // by system and measure; null where no topic has a value
}

// Points are the values of single topics.
type Points struct {
	Measures []string       `json:"measures"`
	Topics   []PointTopic   `json:"topics"`
	Values   [][][]*float64 `json:"values"` // by measure, system and topic
}

// PointTopic is a topic in the scatter plot.
type PointTopic struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Golds int    `json:"golds"`
}

// Histogram counts the scores of a run's candidates by label.
type Histogram struct {
	Run   string  `json:"run"`
	Low   float64 `json:"low"`  // lower bound of the first bin, which also has what is below
	High  float64 `json:"high"` // upper bound of the last bin, which also has what is above
	Gold  []int   `json:"gold"`
	Other []int   `json:"other"`
}

// Training is a run of dssdnet train.
type Training struct {
	Name     string         `json:"name"`
	Model    string         `json:"model,omitempty"`
	Seed     uint64         `json:"seed"`
	Pairs    string         `json:"pairs_sha256,omitempty"`
	Weights  string         `json:"weights_sha256,omitempty"` // of the best checkpoint
	Settings map[string]any `json:"settings,omitempty"`
	Train    []LossPoint    `json:"train"`
	Valid    []LossPoint    `json:"valid"`
}

// LossPoint is a loss after a step.
type LossPoint struct {
	Step     int      `json:"step"`
	Loss     float64  `json:"loss"`
	Accuracy *float64 `json:"accuracy,omitempty"`
}

// Explorer is the rankings of some topics.
type Explorer struct {
	Runs    []string               `json:"runs"`
	Topics  []ExploredTopic        `json:"topics"`
	Patents map[string]PatentShown `json:"patents"`
}

// ExploredTopic is a topic with the first candidates of every run.
type ExploredTopic struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Abstract string          `json:"abstract"`
	IPC      []string        `json:"ipc"`
	Golds    []ExploredGold  `json:"golds"`
	Rankings [][]RankedShown `json:"rankings"` // by run
}

// ExploredGold is a gold with its rank in every run, 0 for none.
type ExploredGold struct {
	Patent string `json:"patent"`
	Grade  int    `json:"grade"`
	Domain string `json:"domain"`
	Ranks  []int  `json:"ranks"`
}

// RankedShown is a candidate.
type RankedShown struct {
	Patent string  `json:"patent"`
	Score  float64 `json:"score"`
	Before int     `json:"before"` // rank in the baseline, 0 for none
	Grade  int     `json:"grade"`  // 0 for no gold
	Domain string  `json:"domain"` // in, out or unknown, by IPC subclass
}

// PatentShown is the text of a patent.
type PatentShown struct {
	Title    string   `json:"title"`
	Abstract string   `json:"abstract"`
	IPC      []string `json:"ipc"`
}

// Sources are what the figures were made from.
type Sources struct {
	Inputs []Source      `json:"inputs"`
	Runs   []RunSource   `json:"runs"`
	Stages []StageSource `json:"stages"`
}

// Source is a file.
type Source struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// RunSource is a run file and, when dssdnet rerank made it, the model.
type RunSource struct {
	Name       string `json:"name"`
	File       string `json:"file,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	Checkpoint string `json:"checkpoint_sha256,omitempty"`
	Precision  string `json:"precision,omitempty"`
	Training   string `json:"training,omitempty"` // whose best checkpoint has the same weights
}

// StageSource is the latest run of a stage in the workspace.
type StageSource struct {
	Stage    string `json:"stage"`
	Name     string `json:"name,omitempty"`
	Tool     string `json:"tool"`
	Schema   string `json:"schema"`
	Finished string `json:"finished"`
	Inputs   int    `json:"inputs"`
}
