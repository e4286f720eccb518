package main

import (
	"context"

	"github.com/spf13/cobra"

	"dssdnet/ingest/broker"
)

func (a *app) brokerCommand() *cobra.Command {
	return a.stageCommand(stage{
		use:   "broker",
		short: "The embedded Kafka broker as a process of its own",
		long: `Serves the Kafka protocol on the loopback interface with the workspace's log, until it is interrupted. Commands that
are given no --brokers start it inside themselves; this command is for keeping it up between them. It is meant for
one machine: for many machines, or to keep the topic for ever, use a Kafka cluster and --brokers.`,
		args:    cobra.NoArgs,
		section: "broker", config: &a.brokerConfig,
		run: func(ctx context.Context, _ []string) (any, error) {
			a.brokerConfig.Workspace, a.brokerConfig.Log = a.workspace(), a.log
			return broker.Run(ctx, a.brokerConfig)
		},
	})
}
