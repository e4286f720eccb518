package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"dssdnet/eval/report"
	"dssdnet/internal/settings"
	"dssdnet/pipelines"
)

func (a *app) runCommand() *cobra.Command {
	cfg := pipelines.Default()
	return a.pipelineCommand(&cobra.Command{
		Use:   "run PIPELINE",
		Short: "The steps of a pipeline that have something to do",
		Long: `Runs a pipeline: a file whose steps are the other commands, or the name of one that comes with dssdnet (` +
			strings.Join(pipelines.Shipped(), ", ") + `).
A step comes after those that write what it reads, and is skipped when nothing has changed for it: inputs, settings,
the build of dssdnet, and its outputs as it left them. --dry-run says what would run and why. Settings of the stages
come from the file, else from the environment and --config as for their commands.

One run at a time works on a workspace. Killed at any moment, the same call goes on with the step that was under way;
"dssdnet retry" goes on with the step that failed. run_results.json in the workspace tells of the last run. A gate that
refuses lets the steps after it run; the exit code is then 5.`,
		Example: `  dssdnet run demo --workspace work/demo
  dssdnet run collection --set data=/data/mini --set encoder=models/MiniLM --dry-run
  dssdnet run retrain.yaml --from train --force`,
		Args: cobra.ExactArgs(1),
	}, &cfg, func(ctx context.Context, args []string) (pipelines.Result, error) {
		cfg.File = args[0]
		if err := a.provide(&cfg); err != nil {
			return pipelines.Result{}, err
		}
		return pipelines.Run(ctx, cfg)
	})
}

// provide gives a run of a pipeline what the commands have.
func (a *app) provide(c *pipelines.Config) (err error) {
	c.Workspace, c.Cluster, c.Resolve, c.Log, c.Progress = a.workspace(), a.cluster, a.resolve, a.log, a.progress
	c.Observers, err = a.observers()
	return err
}

// pipelineCommand completes a command that runs a pipeline, whose steps are shown however it ends.
func (a *app) pipelineCommand(c *cobra.Command, cfg any, run func(ctx context.Context, args []string) (pipelines.Result, error)) *cobra.Command {
	c.Long += "\n\n" + exitTable
	name, _, _ := strings.Cut(c.Use, " ")
	a.section(cfg, name).AddFlags(c.Flags())
	a.section(&a.brokerConfig, "broker").AddFlags(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		result, err := run(c.Context(), args)
		a.closeProgress()
		if len(result.Steps) == 0 {
			return err // nothing was begun
		}
		if err == nil {
			a.metrics.Succeeded(name, time.Now())
		}
		if a.global.JSON {
			return errors.Join(err, a.printResult(result))
		}
		return errors.Join(err, printSteps(a.stdout, result))
	}
	return c
}

// printSteps shows the steps of a run as a table, and last where its report is.
func printSteps(w io.Writer, r pipelines.Result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "step\tstage\tstatus\tseconds\tpeak memory\tdisk\twhy")
	for _, s := range r.Steps {
		seconds := ""
		if s.Seconds > 0 {
			seconds = fmt.Sprintf("%.1f", s.Seconds)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Step, s.Stage, s.Status, seconds, sizeText(s.PeakRSS), sizeText(s.DiskBytes), s.Reason)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s %s: %.1f s\n", r.Pipeline, r.Status, r.Seconds)
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	if page := lastPage(r); page != "" {
		fmt.Fprintf(w, "report: %s\n", page)
	}
	return nil
}

// lastPage is the page of the last report of the run.
func lastPage(r pipelines.Result) (page string) {
	for _, s := range r.Steps {
		if s.Stage != "eval report" || s.Result == nil {
			continue
		}
		var made report.Result
		if data, err := json.Marshal(s.Result); err == nil && json.Unmarshal(data, &made) == nil && made.HTML != "" {
			page = made.HTML
		}
	}
	return page
}

// sizeText is a size in the unit that people read it in.
func sizeText(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return strings.NewReplacer("MiB", " MiB", "GiB", " GiB", "TiB", " TiB").Replace(settings.Bytes(n >> 20 << 20).String())
}
