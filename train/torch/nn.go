package torch

// Linear is t w^T + b. A nil b is none.
func (t *Tensor) Linear(w, b *Tensor) *Tensor {
	if !t.s.ready(t, w) || b != nil && !t.s.ready(b) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.linear(t.h, w.h, b.orNone(), t.s.report()))
}

// Embedding is the rows of the table t named by index, an int64 tensor of any shape.
func (t *Tensor) Embedding(index *Tensor) *Tensor {
	if !t.s.ready(t, index) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.embedding(t.h, index.h, t.s.report()))
}

// LayerNorm normalizes the last dimension, then scales by w and shifts by b.
func (t *Tensor) LayerNorm(w, b *Tensor, eps float64) *Tensor {
	if !t.s.ready(t, w, b) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.layerNorm(t.h, w.h, b.h, eps, t.s.report()))
}

// Softmax is taken over one dimension.
func (t *Tensor) Softmax(dim int) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.softmax(t.h, int64(dim), t.s.report()))
}

// SetTraining turns dropout on. A session starts with it off.
func (s *Session) SetTraining(on bool) { s.training = on }

// Training says whether dropout is on.
func (s *Session) Training() bool { return s.training }

// Dropout sets elements to 0 with probability p and scales the others by 1/(1-p) while the session trains.
func (t *Tensor) Dropout(p float64) *Tensor {
	if !t.s.training || p == 0 {
		return t
	}
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.own(t.s.c.dropout(t.h, p, t.s.report()))
}

// Attention is multi-head attention of the queries t [B,Q,W] over keys and values kv [B,S,2W], keys first:
// softmax(q k^T / sqrt(W/heads) + bias) v for each head. bias [B,S], or nil, is added to every row of scores: large
// negative at padding. p is the dropout on the probabilities while the session trains. No gradient reaches bias.
func (t *Tensor) Attention(kv, bias *Tensor, heads int, p float64) *Tensor {
	if !t.s.ready(t, kv) {
		return t.s.dead()
	}
	return t.s.attention(t.h, kv, bias, heads, p)
}

// SelfAttention is Attention for queries, keys and values packed in this order: t is [B,S,3W].
func (t *Tensor) SelfAttention(bias *Tensor, heads int, p float64) *Tensor {
	if !t.s.ready(t) {
		return t.s.dead()
	}
	return t.s.attention(0, t, bias, heads, p)
}

func (s *Session) attention(q handle, packed, bias *Tensor, heads int, p float64) *Tensor {
	if bias != nil && !s.ready(bias) {
		return s.dead()
	}
	if !s.training {
		p = 0
	}
	return s.own(s.c.attention(q, packed.h, bias.orNone(), int64(heads), p, s.report()))
}

func (t *Tensor) orNone() handle {
	if t == nil {
		return 0
	}
	return t.h
}
