package train

import "math"

// SeedResult is one seed's training.
type SeedResult struct {
	Seed           uint64  `json:"seed"`
	Folder         string  `json:"folder"`
	Steps          int     `json:"steps"`
	StoppedEarly   bool    `json:"stopped_early"`
	BestStep       int     `json:"best_step"`
	BestLoss       float64 `json:"best_loss"` // of validation
	PairsPerSecond float64 `json:"pairs_per_second"`
	Seconds        float64 `json:"seconds"` // of this call; less than the training's when it was resumed
}

// Result of a run.
type Result struct {
	Skipped       bool         `json:"skipped,omitempty"` // nothing had changed; the figures are those of the run that trained
	Run           string       `json:"run"`
	Model         string       `json:"model"`
	Init          string       `json:"init,omitempty"` // version or folder of the checkpoint that it started from
	Device        string       `json:"device"`
	Threads       int          `json:"threads,omitempty"`
	Libtorch      string       `json:"libtorch"`
	TrainPairs    int          `json:"train_pairs,omitempty"`
	ValidPairs    int          `json:"valid_pairs,omitempty"`
	Alpha         float64      `json:"alpha,omitempty"`
	Parameters    int          `json:"parameters,omitempty"`
	Seeds         []SeedResult `json:"seeds"`
	MeanBestLoss  float64      `json:"mean_best_loss,omitempty"`      // absent when not all seeds are trained
	DeviationLoss float64      `json:"deviation_best_loss,omitempty"` // of the sample; absent for one seed
}

// summarize fills the mean and deviation over the seeds in.
func (r *Result) summarize() {
	n := float64(len(r.Seeds))
	if n == 0 {
		return
	}
	r.MeanBestLoss, r.DeviationLoss = 0, 0
	for _, s := range r.Seeds {
		r.MeanBestLoss += s.BestLoss / n
	}
	if n < 2 {
		return
	}
	for _, s := range r.Seeds {
		r.DeviationLoss += (s.BestLoss - r.MeanBestLoss) * (s.BestLoss - r.MeanBestLoss) / (n - 1)
	}
	r.DeviationLoss = math.Sqrt(r.DeviationLoss)
}
