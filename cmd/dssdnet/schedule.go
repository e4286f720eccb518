package main

import (
	"context"
	"sync"

	"github.com/spf13/cobra"

	"dssdnet/internal/cluster"
	"dssdnet/pipelines"
	"dssdnet/pipelines/schedule"
)

// scheduleSettings are those of the scheduler and of the runs that it begins.
type scheduleSettings struct {
	schedule.Config `yaml:",inline"`
	Set             []string `yaml:"set" help:"NAME=VALUE: a variable of the pipeline file; several separated by commas or flags"`
}

func (a *app) scheduleCommand() *cobra.Command {
	cfg := scheduleSettings{Config: schedule.Default()}
	return a.stageCommand(stage{
		use:   "schedule PIPELINE",
		short: "Run a pipeline on a cron line, or when enough new patents wait",
		long: `Runs a pipeline, as "dssdnet run" does, whenever the cron line says so, or when --when-new patents wait in the topic that
consume has not taken; with both, whichever comes. It goes on until it is interrupted, also after a run that failed or
whose gate refused. docs/scheduler.md says how to operate it.

Fires never pile up: while a run goes on, or another process holds the workspace, one waits (--overlap queue) or none
(skip). Fires that were missed while this was not running become one run (--missed run-once) or none (skip). The
folder schedule/ of the workspace remembers what was run.

SIGTERM lets the running step finish its unit. The exit code is then 130 if a run was cut off, which the next start
takes up again, and 0 otherwise.`,
		example: `  dssdnet schedule retrain --cron "0 6 * * 1" --time-zone Europe/Vienna --metrics-addr :9100
  dssdnet schedule retrain --when-new 5000 --poll 5m --brokers kafka-1:9092`,
		args:    cobra.ExactArgs(1),
		section: "schedule", config: &cfg, embedded: true,
		run: func(ctx context.Context, args []string) (any, error) {
			job, err := a.scheduledRun(args[0], cfg.Set)
			if err != nil {
				return nil, err
			}
			pipeline, err := pipelines.Check(job) // now and not at the first fire
			if err != nil {
				return nil, err
			}
			c := cfg.Config
			c.Workspace, c.Pipeline, c.Log, c.Metrics, c.Cluster = job.Workspace, pipeline, a.log, a.metrics, job.Cluster
			c.Job = func(ctx context.Context) (pipelines.Result, error) { return pipelines.Run(ctx, job) }
			return schedule.Run(ctx, c)
		},
	})
}

// scheduledRun is one run of the pipeline.
func (a *app) scheduledRun(file string, set []string) (pipelines.Config, error) {
	c := pipelines.Default()
	c.File, c.Set = file, set
	if err := a.provide(&c); err != nil {
		return c, err
	}
	// The scheduler asks for the cluster, too, while a run may do so.
	var one sync.Mutex
	open := c.Cluster
	c.Cluster = func(ctx context.Context) (cluster.Config, error) {
		one.Lock()
		defer one.Unlock()
		return open(ctx)
	}
	return c, nil
}
