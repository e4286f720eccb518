package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dssdnet/ingest/deadletter"
)

func (a *app) dlqCommand() *cobra.Command {
	return group("dlq", "Dead letters: documents that could not be published or parsed", a.dlqListCommand(), a.dlqReplayCommand())
}

func (a *app) dlqListCommand() *cobra.Command {
	cfg := deadletter.Default()
	return a.stageCommand(stage{
		use:   "list",
		short: "Show the dead letters with reason, path and excerpt",
		long: `Shows each dead letter once: the stage that gave up, the reason, the file and place it came from, and the text
around the fault.`,
		args:    cobra.NoArgs,
		section: "dlq-list", config: &cfg, embedded: true,
		run: func(ctx context.Context, _ []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Cluster, cfg.Log, cfg.Progress = kafka, a.log, a.progress
			return deadletter.List(ctx, cfg)
		},
		print: func(w io.Writer, result any) error { return printLetters(w, result.(deadletter.Listing)) },
	})
}

func (a *app) dlqReplayCommand() *cobra.Command {
	cfg := deadletter.Default()
	return a.stageCommand(stage{
		use:   "replay",
		short: "Send dead letters to their topic again",
		long: `Sends the original bytes of the chosen dead letters to the topic they came from, with their key and headers: after
an upgrade that reads what was refused before. Replaying twice adds no row downstream.`,
		args:    cobra.NoArgs,
		section: "dlq-replay", config: &cfg, embedded: true,
		run: func(ctx context.Context, _ []string) (any, error) {
			kafka, err := a.cluster(ctx)
			if err != nil {
				return nil, err
			}
			cfg.Cluster, cfg.Log, cfg.Progress = kafka, a.log, a.progress
			return deadletter.Replay(ctx, cfg)
		},
	})
}

// printLetters shows each dead letter with its place and excerpt, and the counts by reason after them.
func printLetters(w io.Writer, l deadletter.Listing) error {
	for _, e := range l.Entries {
		place := e.Path
		if e.Range != "" {
			place += " bytes " + e.Range
		}
		times := ""
		if e.Times > 1 {
			times = fmt.Sprintf("  (%d times)", e.Times)
		}
		fmt.Fprintf(w, "%s  %s%s\n  %s\n", e.Class, place, times, e.Message)
		if excerpt := strings.Join(strings.Fields(e.Excerpt), " "); excerpt != "" {
			fmt.Fprintf(w, "  | %s\n", excerpt)
		}
	}
	if l.Troubles == 0 {
		_, err := fmt.Fprintln(w, "no dead letters")
		return err
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, class := range slices.Sorted(maps.Keys(l.Classes)) {
		fmt.Fprintf(t, "%s\t%d\n", class, l.Classes[class])
	}
	fmt.Fprintf(t, "all\t%d\n", l.Troubles)
	return t.Flush()
}
