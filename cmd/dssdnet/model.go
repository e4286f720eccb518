package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"dssdnet/pipelines/registry"
)

func (a *app) modelCommand() *cobra.Command {
	return group("model", "The models of the workspace: list, show, promote, rollback",
		a.modelListCommand(), a.modelShowCommand(), a.modelPromoteCommand(), a.modelRollbackCommand())
}

func (a *app) modelListCommand() *cobra.Command {
	return a.stageCommand(stage{
		use:   "list",
		short: "Every version with the gate's decision and its figure",
		long: `Lists the versions in models/, oldest first, with what the gate said and the figure that decided; * is current. With
--json everything that is known of each, and the history of promotions and rollbacks.`,
		args:    cobra.NoArgs,
		section: "model-list", config: &struct{}{},
		run: func(context.Context, []string) (any, error) {
			return registry.Open(a.workspace()).Listing()
		},
		print: func(w io.Writer, result any) error { return result.(registry.Listing).WriteTable(w) },
	})
}

func (a *app) modelShowCommand() *cobra.Command {
	return a.stageCommand(stage{
		use:   "show VERSION|current",
		short: "What a version is made of, its figures and the gate's reason",
		long: `Shows the lineage of a version: training, settings, the files of data and pairs with their hashes, its figures with
confidence intervals and p-values against the model that was current, and why the gate promoted or refused it.`,
		args:    cobra.ExactArgs(1),
		section: "model-show", config: &struct{}{},
		run: func(_ context.Context, args []string) (any, error) {
			return registry.Open(a.workspace()).Get(args[0])
		},
		print: func(w io.Writer, result any) error { return result.(registry.Model).WriteTable(w) },
	})
}

// reason is the setting of commands that move the link by hand.
type reason struct {
	Reason string `yaml:"reason" help:"why, for the history"`
}

func (a *app) modelPromoteCommand() *cobra.Command {
	cfg := reason{}
	return a.stageCommand(stage{
		use:   "promote VERSION",
		short: "Make a version current, whatever the gate said",
		long: `Points models/current to a version. The link is replaced in one step; who reads it finds the old version or the new one.
Scheduled runs do not undo it: their gate compares the next model with this one.`,
		args:    cobra.ExactArgs(1),
		section: "model-promote", config: &cfg,
		run: func(_ context.Context, args []string) (any, error) {
			return registry.Promote(a.workspace(), args[0], cfg.Reason)
		},
		print: printMoved,
	})
}

func (a *app) modelRollbackCommand() *cobra.Command {
	cfg := reason{}
	return a.stageCommand(stage{
		use:   "rollback",
		short: "Make the version current that was so before",
		long: `Points models/current to the version that was current before this one. Repeated, it goes back further. What was rolled
back stays in models/, and no scheduled run brings it back.`,
		args:    cobra.NoArgs,
		section: "model-rollback", config: &cfg,
		run: func(context.Context, []string) (any, error) {
			return registry.Rollback(a.workspace(), cfg.Reason)
		},
		print: printMoved,
	})
}

func printMoved(w io.Writer, result any) error {
	m := result.(registry.Moved)
	switch {
	case !m.Changed:
		_, err := fmt.Fprintf(w, "%s is current already\n", m.Current)
		return err
	case m.Previous == "":
		_, err := fmt.Fprintf(w, "%s is current\n", m.Current)
		return err
	}
	_, err := fmt.Fprintf(w, "%s is current, before it was %s\n", m.Current, m.Previous)
	return err
}
