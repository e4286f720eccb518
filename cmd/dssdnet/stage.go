package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// stage is a command that runs one stage.
type stage struct {
	use, short, long string
	example          string
	args             cobra.PositionalArgs
	section          string // name of the settings: section of the file, prefix in the environment
	config           any    // pointer to the stage's Config, holding the defaults
	// run calls the stage. Its result is printed and, when schema is set, recorded in the workspace. A result
	// together with an error means that the stage got as far as the result says.
	run    func(ctx context.Context, args []string) (any, error)
	schema string // tag of the table that the stage writes; "" for a stage that leaves no table
	// embedded adds the flags of the embedded broker.
	embedded bool
	// print shows a result to people, where a line per value does not serve them; nil for the others.
	print func(w io.Writer, result any) error
}

func (a *app) stageCommand(s stage) *cobra.Command {
	c := &cobra.Command{
		Use: s.use, Short: s.short, Example: s.example, Args: s.args,
		Long: s.long + "\n\n" + exitTable,
	}
	a.section(s.config, s.section).AddFlags(c.Flags())
	if s.embedded {
		a.section(&a.brokerConfig, "broker").AddFlags(c.Flags())
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		started := time.Now()
		result, err := s.run(c.Context(), args)
		a.closeProgress()
		kind := fault.KindOf(err)
		if result == nil || err != nil && (kind == fault.Usage || kind == fault.Rejected) {
			return err // nothing was done that could be shown
		}
		show := a.printResult
		if s.print != nil && !a.global.JSON {
			show = func(result any) error { return s.print(a.stdout, result) }
		}
		if printErr := show(result); err == nil {
			err = printErr
		}
		if err == nil || kind == fault.DeadLetters {
			a.metrics.Succeeded(s.section, time.Now())
			err = errors.Join(err, a.record(s, result, started))
		}
		return err
	}
	return c
}

// record writes the manifest of a run that left something in the workspace.
func (a *app) record(s stage, result any, started time.Time) error {
	if s.schema == "" {
		return nil
	}
	config, err := json.Marshal(a.settingsOf(s.section))
	if err != nil {
		return err
	}
	data, err := json.Marshal(result)
	if err != nil {
		return err
	}
	return manifest.Manifest{
		Stage: s.section, Schema: s.schema, Config: config, Result: data, Started: started, Finished: time.Now(),
	}.Write(a.workspace().Manifests())
}

// settingsOf returns the settings of a section as text.
func (a *app) settingsOf(name string) map[string]string {
	all := map[string]string{}
	for _, s := range a.sections {
		if s.Name == name {
			s.Each(func(key, value, _ string) { all[key] = value })
		}
	}
	return all
}
