package main

import (
	"context"
	"errors"

	"dssdnet/internal/fault"
)

// exitTable stands in the help of every command and in docs/data-engineer.md.
const exitTable = `Exit codes:
  0    done
  1    failed; repeating the command goes on where it stopped
  2    wrong use: flag, argument, config file, SQL
  3    input rejected, nothing was written
  4    done, but the share of dead letters is over --max-dead-share
  5    a gate refused (evaluation worse than the current model)
  130  interrupted; the unit in hand was finished`

// exitCode is the only place where an error becomes a number.
func exitCode(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return 130
	}
	switch fault.KindOf(err) {
	case fault.Usage:
		return 2
	case fault.Rejected:
		return 3
	case fault.DeadLetters:
		return 4
	case fault.GateRefused:
		return 5
	default:
		return 1
	}
}
