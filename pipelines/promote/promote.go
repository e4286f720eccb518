package promote

import (
	"context"
	"log/slog"

	"dssdnet/internal/fault"
)

// Result of one gate.
type Result struct {
	Version  string  `json:"version"`           // of the candidate
	Promoted bool    `json:"promoted"`          // the gate let it pass
	Skipped  bool    `json:"skipped,omitempty"` // it had been decided before; the figures are those of then
	Current  string  `json:"current"`           // version that is current now
	Previous string  `json:"previous,omitempty"`
	Reason   string  `json:"reason"`
	Report   string  `json:"report"`
	Seconds  float64 `json:"seconds"`
}

// Run registers the candidate and promotes it if the gate holds. A refusal is an error of kind fault.GateRefused, with
// the whole result: everything was written.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	return Result{}, fault.New(fault.Failed, "this build has no model registry")
}
