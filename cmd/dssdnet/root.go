package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/settings"
)

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	app := newApp(stdout, stderr)
	defer app.close()
	root := app.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	app.closeProgress()
	code := exitCode(ctx, err)
	if code == 130 {
		err = fmt.Errorf("interrupted; repeating the command goes on where it stopped")
	}
	if err == nil {
		return 0
	}
	if app.global.JSON {
		_ = json.NewEncoder(stderr).Encode(map[string]any{"error": err.Error(), "exit_code": code})
	} else {
		fmt.Fprintf(stderr, "dssdnet: %v\n", err)
	}
	return code
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "dssdnet",
		Short: "Patent XML in, a trained and measured patent re-ranker out",
		Long: `dssdnet turns patent XML into a trained and measured patent re-ranker.

  files, archives ─publish─▶ topic patents.xml ─consume─▶ documents/ ─merge─▶ patents/
                                     └─ bad ─▶ topic patents.dlq
  topic sets ─topics─▶ topics/        qrels files ─qrels─▶ qrels/
  patents/ ─build─▶ index/ + topics/ ─search─▶ pools/ + qrels/ ─sample─▶ pairs/ ─train─▶ checkpoints/
  pairs/ + checkpoint ─rerank─▶ runs/ ─eval─▶ reports/     checkpoint + runs/ ─promote─▶ models/

Every arrow is a command. Settings come from flags, else from environment variables DSSDNET_*, else from the file
given by --config, else from the defaults; "dssdnet config print" shows each with its origin.

` + exitTable,
		Version:       manifest.Tool,
		Args:          cobra.ArbitraryArgs,
		RunE:          showHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fault.New(fault.Usage, "%w; see '%s --help'", err, c.CommandPath())
	})
	a.section(&a.global, "").AddFlags(root.PersistentFlags())
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "YAML file with settings; unknown keys are errors")
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.start(c) }

	ingest := group("ingest", "Patent XML to tables: publish, consume, merge, topics, qrels, dead letters",
		a.publishCommand(), a.consumeCommand(), a.mergeCommand(), a.topicsCommand(), a.qrelsCommand(), a.dlqCommand())
	index := group("index", "Candidate pools: build the BM25 index, search, fuse, explain",
		a.indexBuildCommand(), a.indexSearchCommand(), a.indexEnqueueCommand(), a.indexFuseCommand(), a.indexStatsCommand(), a.indexExplainCommand())
	root.AddCommand(
		a.synthCommand(), a.brokerCommand(), ingest, index, a.sampleCommand(), a.trainCommand(), a.rerankCommand(), a.evalCommand(), a.promoteCommand(), a.modelCommand(), a.reproCommand(), a.queryCommand(),
		a.runCommand(), a.retryCommand(), a.scheduleCommand(), a.statusCommand(), a.demoCommand(), group("config", "The settings in force", a.configPrintCommand()),
	)
	a.refuseStrayArguments(root)
	return root
}

// group is a command that only holds others.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: showHelp}
	c.AddCommand(commands...)
	return c
}

// showHelp is what a command does that only holds others.
func showHelp(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fault.New(fault.Usage, "unknown command %q; see '%s --help'", args[0], c.CommandPath())
	}
	return c.Help()
}

// refuseStrayArguments makes wrong arguments of every command a usage error, exit code 2.
func (a *app) refuseStrayArguments(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return fault.New(fault.Usage, "%w; see '%s --help'", err, c.CommandPath())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		a.refuseStrayArguments(sub)
	}
}

// start resolves every setting once flags are parsed.
func (a *app) start(c *cobra.Command) error {
	if a.configFile == "" {
		a.configFile = os.Getenv("DSSDNET_CONFIG")
	}
	file, err := settings.LoadFile(a.configFile, a.sections)
	if err != nil {
		return fault.New(fault.Usage, "%w", err)
	}
	a.resolve = func(s *settings.Section) error {
		if err := s.Resolve(os.LookupEnv, file); err != nil {
			return fault.New(fault.Usage, "%w", err)
		}
		return nil
	}
	for _, s := range a.sections {
		if err := a.resolve(s); err != nil {
			return err
		}
	}
	if len(a.global.Kafka.Brokers) == 0 {
		if brokers := os.Getenv("KAFKA_BROKERS"); brokers != "" {
			a.global.Kafka.Brokers = strings.Split(brokers, ",")
		}
	}
	return a.open(c.CommandPath())
}
