package dssd

import "dssdnet/train/torch"

// Model is the network on top of an encoder.
type Model struct {
	Config Config

	s      *torch.Session
	gate   gate
	split  split
	plain  funnel // the one head of the plain cross-encoder
	ds, di funnel // g_ds and g_di of formula (7)
	domain funnel // g_T of formula (10)
	fusion fusion
	params []torch.Param
}

// New makes a network for an encoder of the given width, with random parameters from the session's generator. They
// belong to the innermost scope.
func New(s *torch.Session, c Config, width int) (*Model, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	b := &builder{s: s}
	m := &Model{Config: c, s: s}
	if c.decomposes() {
		m.gate = b.gate("gate", width)
		m.split = b.split("split", width, c.Dropout)
		m.ds = b.funnel("head.ds", width, c.HeadLayers, c.Dropout)
		m.di = b.funnel("head.di", width, c.HeadLayers, c.Dropout)
		m.domain = b.funnel("head.domain", width, c.HeadLayers, c.Dropout)
	} else {
		m.plain = b.funnel("head.plain", width, c.HeadLayers, c.Dropout)
	}
	if c.fuses() {
		m.fusion = b.fusion("fusion", width, c)
	}
	m.params = b.params
	return m, s.Err()
}

// Params are the parameters, in a fixed order.
func (m *Model) Params() []torch.Param { return m.params }

// Output is what the network makes of a batch. Logits are differences of two, [B], float32. What the model does not
// compute is nil.
type Output struct {
	Score        *torch.Tensor // relevance: rank by it; its sigmoid is the probability
	DS, DI       *torch.Tensor // the heads of the two parts
	Domain       *torch.Tensor // same domain, seen from e_ds
	ES, EDS, EDI *torch.Tensor // [B,d]
}

// Tensors are those that are not nil, to be kept when a scope is left.
func (o Output) Tensors() []*torch.Tensor {
	var all []*torch.Tensor
	for _, t := range []*torch.Tensor{o.Score, o.DS, o.DI, o.Domain, o.ES, o.EDS, o.EDI} {
		if t != nil {
			all = append(all, t)
		}
	}
	return all
}

// Forward takes representations e [B,d] and domain labels t [B], float32.
func (m *Model) Forward(e, t *torch.Tensor) Output {
	if !m.Config.decomposes() {
		return Output{Score: m.plain.forward(e.Dropout(m.Config.Dropout))}
	}
	es, g := m.gate.forward(e)
	eds, edi := m.split.forward(es, g)
	o := Output{ES: es, EDS: eds, EDI: edi, DS: m.ds.forward(eds), DI: m.di.forward(edi), Domain: m.domain.forward(eds)}
	if m.Config.fuses() {
		o.Score = m.fusion.forward(m.s, eds, edi, t)
	} else {
		o.Score = o.DS.Add(o.DI).Scale(0.5)
	}
	return o
}
