package dssd

import (
	"dssdnet/internal/fault"
	"dssdnet/train/torch"
)

// Labels are those of a batch, on the device and by place.
type Labels struct {
	Relevance, Domain    *torch.Tensor // y and t, [B] float32
	positives, negatives []int64
}

// NewLabels copies labels to the device. All must be 0 or 1.
func NewLabels(s *torch.Session, relevance, domain []int8) (Labels, error) {
	if len(relevance) != len(domain) || len(relevance) == 0 {
		return Labels{}, fault.New(fault.Failed, "a batch has %d relevance and %d domain labels", len(relevance), len(domain))
	}
	var l Labels
	y, t := make([]float32, len(relevance)), make([]float32, len(domain))
	for i := range relevance {
		if relevance[i]>>1 != 0 || domain[i]>>1 != 0 {
			return Labels{}, fault.New(fault.Rejected, "pair %d of a batch has label %d and domain %d: both must be 0 or 1", i, relevance[i], domain[i])
		}
		y[i], t[i] = float32(relevance[i]), float32(domain[i])
		if relevance[i] == 1 {
			l.positives = append(l.positives, int64(i))
		} else {
			l.negatives = append(l.negatives, int64(i))
		}
	}
	l.Relevance, l.Domain = torch.Of(s, y, len(y)), torch.Of(s, t, len(t))
	return l, nil
}

// Term is one loss of the sum.
type Term struct {
	Name   string
	Weight float64
	Value  *torch.Tensor // unweighted
}

// Loss is formula (15), or the part of it that an ablation has.
type Loss struct {
	Total *torch.Tensor
	Terms []Term
}

// The names of the terms, as in the metrics.
const (
	TermDS            = "ds"   // (7), domain-sensitive
	TermDI            = "di"   // (7), domain-insensitive
	TermOrthogonal    = "orth" // (8)
	TermComplementary = "rec"  // (9)
	TermDomain        = "t"    // (10)
	TermRelevance     = "mr"   // (12); the only term of the plain cross-encoder
	TermRanking       = "pr"   // (14)
)

// Loss adds the model's losses up. alpha is the share of pairs of different domains, t = 0, among the training pairs.
// rank is false in the steps before the ranking loss starts; the term is also absent, and counts 0, in a batch without
// positives or without negatives.
func (m *Model) Loss(o Output, l Labels, alpha float64, rank bool) Loss {
	c := m.Config
	var loss Loss
	add := func(name string, weight float64, value *torch.Tensor) {
		if value != nil {
			loss.Terms = append(loss.Terms, Term{name, weight, value})
		}
	}
	if c.decomposes() {
		add(TermDS, c.WeightInformative, crossEntropy(o.DS, l.Relevance))
		add(TermDI, c.WeightInformative, crossEntropy(o.DI, l.Relevance))
		add(TermOrthogonal, c.WeightOrthogonal, orthogonal(o.EDS, o.EDI))
		add(TermComplementary, c.WeightComplementary, complementary(o.ES, o.EDS, o.EDI))
		add(TermDomain, c.WeightDomain, focal(o.Domain, l.Domain, alpha, c.Gamma))
	}
	if c.fuses() || !c.decomposes() {
		add(TermRelevance, c.WeightRelevance, crossEntropy(o.Score, l.Relevance))
	}
	if c.ranks() && rank {
		add(TermRanking, c.WeightRanking, ranking(m.s, o.Score, l.positives, l.negatives, c.HardNegatives, c.Margin))
	}
	for _, t := range loss.Terms {
		weighted := t.Value
		if t.Weight != 1 {
			weighted = weighted.Scale(t.Weight)
		}
		if loss.Total == nil {
			loss.Total = weighted
		} else {
			loss.Total = loss.Total.Add(weighted)
		}
	}
	return loss
}
