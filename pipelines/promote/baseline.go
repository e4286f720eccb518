package promote

import (
	"context"
	"fmt"
	"slices"

	"dssdnet/eval/rerank"
	"dssdnet/internal/fault"
)

// score makes the current model's run of the candidate's test groups. It is skipped when the run is there.
func (c Config) score(ctx context.Context, found *candidate, current string) error {
	identity := found.note.Identity
	switch {
	case c.Baseline == "":
		return fault.New(fault.Usage, "--baseline is empty, and %s is current: name the run that it makes of the test groups", current)
	case c.Baseline == c.Run:
		return fault.New(fault.Usage, "--baseline and --run are both %s: the current model needs a run of its own", c.Run)
	case found.note.Pairs == "":
		return fault.New(fault.Usage, "run %s was made by an older dssdnet, which did not note its pairs: make it again with dssdnet rerank --force", c.Run)
	}
	cfg := rerank.Default()
	cfg.Workspace, cfg.Log, cfg.Progress = c.Workspace, c.Log, c.Progress
	cfg.Checkpoint, cfg.Pairs, cfg.Run = c.Workspace.ModelCheckpoint(current), found.note.Pairs, c.Baseline
	cfg.Device, cfg.Threads = c.Device, c.Threads
	cfg.Precision, cfg.BatchTokens, cfg.Window, cfg.Depth = identity.Precision, identity.BatchTokens, identity.Window, identity.Depth
	if _, err := rerank.Run(ctx, cfg); err != nil {
		return fmt.Errorf("score the current model %s: %w", current, err)
	}
	note, err := rerank.ReadNote(c.Workspace, c.Baseline)
	if err != nil {
		return fmt.Errorf("run of the current model %s: %w", current, err)
	}
	if !slices.Equal(note.Identity.Groups, identity.Groups) {
		return fault.New(fault.Rejected, "the test groups of pairs %s have changed since run %s was made: run dssdnet rerank --checkpoint %s --pairs %s --run %s", found.note.Pairs, c.Run, found.dir, found.note.Pairs, c.Run)
	}
	return nil
}
