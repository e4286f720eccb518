package torch

// Seed starts all generators of the session's device and of the CPU.
func (s *Session) Seed(seed uint64) {
	if s.err == nil {
		s.check(s.c.seed(int64(s.device), seed, s.report()) >= 0)
	}
}

// GeneratorState is everything that the next random numbers depend on: hand it to SetGeneratorState, on the same kind
// of device and the same version of libtorch, to get the same ones again.
func (s *Session) GeneratorState() []byte {
	var state []byte
	err := s.Scope(func() error {
		state = Values[uint8](s.own(s.c.state(int64(s.device), s.report())))
		return nil
	})
	s.latch(err)
	return state
}

// SetGeneratorState goes back to a state.
func (s *Session) SetGeneratorState(state []byte) {
	s.latch(s.Scope(func() error {
		host := s.Raw(state, Uint8, len(state))
		if s.ready(host) {
			s.check(s.c.setState(int64(s.device), host.h, s.report()) >= 0)
		}
		return nil
	}))
}

// latch puts an error that a scope of our own returned back where the caller's scope will find it.
func (s *Session) latch(err error) {
	if err != nil && s.err == nil {
		s.err = err
	}
}

// Normal fills t with normal random numbers. Nothing is recorded.
func (t *Tensor) Normal(mean, deviation float64) *Tensor {
	if t.s.ready(t) {
		t.s.check(t.s.c.normal(t.h, mean, deviation, t.s.report()) >= 0)
	}
	return t
}

// Uniform fills t with uniform random numbers of [low, high). Nothing is recorded.
func (t *Tensor) Uniform(low, high float64) *Tensor {
	if t.s.ready(t) {
		t.s.check(t.s.c.uniform(t.h, low, high, t.s.report()) >= 0)
	}
	return t
}
