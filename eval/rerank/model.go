package rerank

import (
	"dssdnet/train"
	"dssdnet/train/bert"
	"dssdnet/train/torch"
)

// scorer rates the pairs of a matrix. It is used by one goroutine.
type scorer interface {
	score(m matrix) ([]float32, error)
}

// model is a checkpoint in a session.
type model struct {
	*train.Model
	s        *torch.Session
	bfloat16 bool
}

func (m *model) score(in matrix) ([]float32, error) {
	var scores []float32
	forward := func() error {
		tokens := bert.NewInput(m.s, in.ids, in.types, in.mask, in.rows, in.length)
		out := m.Network.Forward(m.Encoder.First(tokens), torch.Of(m.s, in.domain, in.rows))
		scores = torch.Values[float32](out.Score)
		return m.s.Err()
	}
	err := m.s.NoGrad(func() error {
		if m.bfloat16 {
			return m.s.Autocast(torch.BFloat16, forward)
		}
		return forward()
	})
	return scores, err
}
