// Package fault sorts errors by what the caller of a command has to do about them. Stages make them, and only
// cmd/dssdnet turns a kind into an exit code.
package fault

import (
	"errors"
	"fmt"
)

// Kind says who can mend the error. The zero Kind is a plain failure.
type Kind int

// The kinds, in the order of their exit codes.
const (
	Failed      Kind = iota // the run failed: disk, broker, a bug
	Usage                   // the command was called wrongly
	Rejected                // the input was refused before anything was written
	DeadLetters             // done, but more documents were dead letters than the limit allows
	GateRefused             // done, but a quality gate said no
)

// Error is an error of a known kind. Its message stands alone: what happened, where, and what to do.
type Error struct {
	Kind Kind
	err  error
}

// New formats an error of a kind; %w works as in fmt.Errorf.
func New(kind Kind, format string, args ...any) error {
	return &Error{Kind: kind, err: fmt.Errorf(format, args...)}
}

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// KindOf returns the kind of the outermost Error in err's chain, or Failed.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}
