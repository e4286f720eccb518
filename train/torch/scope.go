package torch

// scope owns the tensors made while it was the innermost.
type scope struct {
	tensors []*Tensor
}

// mode is what libtorch keeps per thread.
type mode struct {
	grad     bool
	autocast DType // none when off
}

const none DType = -1

// Scope runs f and then frees every tensor that f made and did not keep. The error is f's, else the first failure
// inside f, which the session then forgets: the caller has it.
func (s *Session) Scope(f func() error) error {
	if s.err != nil {
		return s.err
	}
	s.scopes = append(s.scopes, new(scope))
	depth := len(s.scopes)
	defer func() { // also when f panics: the scopes of the callers must still be theirs
		for len(s.scopes) >= depth {
			s.leave()
		}
	}()
	err := f()
	if s.err != nil {
		if err == nil {
			err = s.err
		}
		s.err = nil
	}
	return err
}

func (s *Session) leave() {
	last := len(s.scopes) - 1
	for _, t := range s.scopes[last].tensors {
		if t.h != 0 {
			s.c.free(t.h)
			t.h = 0
		}
	}
	s.scopes[last] = nil
	s.scopes = s.scopes[:last]
}

// Keep moves tensors of the innermost scope to the one around it, so that they live on when this one is left.
func (s *Session) Keep(tensors ...*Tensor) {
	last := len(s.scopes) - 1
	if last == 0 {
		return
	}
	inner, outer := s.scopes[last], s.scopes[last-1]
	for _, t := range tensors {
		for i, own := range inner.tensors {
			if own == t {
				inner.tensors = append(inner.tensors[:i], inner.tensors[i+1:]...)
				outer.tensors = append(outer.tensors, t)
				break
			}
		}
	}
}

// NoGrad is a Scope in which nothing is recorded for gradients.
func (s *Session) NoGrad(f func() error) error {
	return s.with(mode{grad: false, autocast: s.mode.autocast}, f)
}

// Autocast is a Scope in which matrix products run in the given type, Float16 or BFloat16, and losses in Float32.
// Parameters keep their type. Leave it before the optimizer's step: casts of parameters are cached inside.
func (s *Session) Autocast(d DType, f func() error) error {
	return s.with(mode{grad: s.mode.grad, autocast: d}, f)
}

func (s *Session) with(m mode, f func() error) error {
	before := s.mode
	s.enter(m)
	defer s.enter(before)
	return s.Scope(f)
}

func (s *Session) enter(m mode) {
	if m.grad != s.mode.grad {
		on := int64(0)
		if m.grad {
			on = 1
		}
		s.c.setGrad(on)
	}
	if m.autocast != s.mode.autocast {
		s.c.setAutocast(int64(s.device), int64(m.autocast))
	}
	s.mode = m
}
