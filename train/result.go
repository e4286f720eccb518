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
	Run           string       `json:"run"`
	Model         string       `json:"model"`
	Device        string       `json:"device"`
	Threads       int          `json:"threads"`
	Libtorch      string       `json:"libtorch"`
	TrainPairs    int          `json:"train_pairs"`
	ValidPairs    int          `json:"valid_pairs"`
	Alpha         float64      `json:"alpha"`
	Parameters    int          `json:"parameters"`
	Seeds         []SeedResult `json:"seeds"`
	MeanBestLoss  float64      `json:"mean_best_loss"`
	DeviationLoss float64      `json:"deviation_best_loss"` // of the sample; 0 for one seed
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
