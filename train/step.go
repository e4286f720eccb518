package train

import (
	"fmt"
	"math"
	"strings"

	"dssdnet/train/dssd"
	"dssdnet/train/torch"
)

// losses of a step: means over its batches.
type losses struct {
	total float64
	terms map[string]float64
}

// take is the next batches, fewer than n at the end of a pass.
func take(f *feed, n int) []batch {
	var group []batch
	for b := range f.batches {
		if group = append(group, b); len(group) == n {
			break
		}
	}
	return group
}

// step moves the parameters once, by the mean gradient of the batches.
func (r *run) step(group []batch, total int) (losses, error) {
	sum := losses{terms: map[string]float64{}}
	share := 1 / float64(len(group))
	rank := r.state.Step >= r.RankingWarmupSteps
	r.optimizer.ZeroGrad()
	for _, b := range group {
		err := r.s.Scope(func() error {
			labels, err := dssd.NewLabels(r.s, b.relevance, b.domain)
			if err != nil {
				return err
			}
			out, err := r.model.forward(b.tokens, labels.Domain)
			if err != nil {
				return err
			}
			loss := r.model.Network.Loss(out, labels, r.state.Alpha, rank)
			value := loss.Total.Item()
			for _, t := range loss.Terms {
				sum.terms[t.Name] += share * t.Value.Item()
			}
			if r.s.Err() == nil && (math.IsNaN(value) || math.IsInf(value, 0)) {
				return r.diverged(b, loss)
			}
			sum.total += share * value
			loss.Total.Scale(share).Backward()
			return nil
		})
		if err != nil {
			return sum, err
		}
	}
	if r.ClipNorm > 0 {
		r.s.ClipGrad(torch.ParamValues(r.model.params()), r.ClipNorm)
	}
	r.optimizer.Rate = r.rate(r.state.Step, total)
	r.optimizer.Step()
	return sum, r.s.Err()
}

// diverged is the error of a loss that is no number. The checkpoints before it are good.
func (r *run) diverged(b batch, loss dssd.Loss) error {
	var terms []string
	for _, t := range loss.Terms {
		terms = append(terms, fmt.Sprintf("%s %g", t.Name, t.Value.Item()))
	}
	return fmt.Errorf("the loss of step %d is no number (%s); pairs of the batch: %s; lower --learning-rate or set --clip-norm, and go on with --resume",
		r.state.Step+1, strings.Join(terms, ", "), strings.Join(b.ids, ", "))
}
