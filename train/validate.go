package train

import (
	"context"
	"math"

	"dssdnet/train/dssd"
	"dssdnet/train/torch"
)

// evaluation is a pass over the validation pairs.
type evaluation struct {
	loss     float64
	terms    map[string]float64
	accuracy float64
	spread   float64 // standard deviation of the scores
}

// evaluate computes all losses of the model, ranking included from the first step on so that figures compare.
func (r *run) evaluate(ctx context.Context) (evaluation, error) {
	r.s.SetTraining(false)
	defer r.s.SetTraining(true)
	e := evaluation{terms: map[string]float64{}}
	rows, right, sum, squares := 0.0, 0.0, 0.0, 0.0
	feed := startFeed(context.WithoutCancel(ctx), r.valid, order{}, r.model.Tokenizer, r.Batch, r.MaxTokens, 0)
	defer feed.close()
	for b := range feed.batches {
		err := r.s.NoGrad(func() error {
			labels, err := dssd.NewLabels(r.s, b.relevance, b.domain)
			if err != nil {
				return err
			}
			out, err := r.model.forward(b.tokens, labels.Domain)
			if err != nil {
				return err
			}
			n := float64(len(b.ids))
			loss := r.model.Network.Loss(out, labels, r.state.Alpha, true)
			e.loss += n * loss.Total.Item()
			for _, t := range loss.Terms {
				e.terms[t.Name] += n * t.Value.Item()
			}
			for i, z := range torch.Values[float32](out.Score) {
				if (z > 0) == (b.relevance[i] == 1) {
					right++
				}
				sum += float64(z)
				squares += float64(z) * float64(z)
			}
			rows += n
			return nil
		})
		if err != nil {
			return e, err
		}
	}
	if feed.err != nil {
		return e, feed.err
	}
	e.loss /= rows
	for name := range e.terms {
		e.terms[name] /= rows
	}
	e.accuracy = right / rows
	e.spread = math.Sqrt(max(0, squares/rows-(sum/rows)*(sum/rows)))
	return e, nil
}
