package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"dssdnet/ingest/broker"
	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/internal/metrics"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// global are the settings that every command has.
type global struct {
	Workspace   string         `yaml:"workspace" help:"folder of all tables and states"`
	Kafka       cluster.Config `yaml:",inline"`
	LogFormat   string         `yaml:"log-format" help:"text or json"`
	JSON        bool           `yaml:"json" help:"print the result as one JSON object"`
	MetricsAddr string         `yaml:"metrics-addr" help:"serve /metrics and /healthz on host:port"`
	Quiet       bool           `yaml:"quiet" help:"no progress, only warnings and the result"`
}

// app is one run of the program: its settings and what all commands share.
type app struct {
	global         global
	configFile     string
	sections       []*settings.Section
	resolve        func(*settings.Section) error // by the environment and the config file; set by start
	stdout, stderr io.Writer

	log         *slog.Logger
	metrics     *metrics.Registry
	bars        *progress.Bars
	progress    progress.Reporter
	stopMetrics func()
	broker      *broker.Broker
	// brokerConfig holds the settings of the embedded broker, for every command that needs one.
	brokerConfig broker.Config
	// closeObservers ends the observers of pipeline runs; nil without any.
	closeObservers func(context.Context) error
}

func newApp(stdout, stderr io.Writer) *app {
	return &app{
		global: global{Workspace: "./work", LogFormat: "text"},
		stdout: stdout, stderr: stderr,
		brokerConfig: broker.Default(),
	}
}

// section registers the settings in target once, so that files, the environment and config print know them.
func (a *app) section(target any, name string) *settings.Section {
	for _, s := range a.sections {
		if s.Name == name {
			return s
		}
	}
	s := settings.New(name, target)
	a.sections = append(a.sections, s)
	return s
}

// open sets up logs, progress and metrics from the global settings.
func (a *app) open(command string) error {
	level := slog.LevelInfo
	if a.global.Quiet {
		level = slog.LevelWarn
	}
	options := &slog.HandlerOptions{Level: level}
	switch a.global.LogFormat {
	case "text":
		a.log = slog.New(slog.NewTextHandler(a.stderr, options))
	case "json":
		a.log = slog.New(slog.NewJSONHandler(a.stderr, options))
	default:
		return fault.New(fault.Usage, "--log-format is text or json, not %q", a.global.LogFormat)
	}
	a.log = a.log.With("command", strings.TrimPrefix(command, "dssdnet "))
	a.metrics = metrics.NewRegistry()
	a.progress = a.metrics.Observe(a.printer())
	if a.global.MetricsAddr == "" {
		return nil
	}
	bound, stop, err := a.metrics.Serve(a.global.MetricsAddr)
	if err != nil {
		return fault.New(fault.Usage, "%w", err)
	}
	a.stopMetrics = stop
	a.log.Info("serving metrics", "address", bound)
	return nil
}

func (a *app) printer() progress.Reporter {
	if a.global.Quiet {
		return progress.Silent
	}
	f, ok := a.stderr.(*os.File)
	if ok && a.global.LogFormat == "text" && term.IsTerminal(int(f.Fd())) {
		a.bars = progress.NewBars(f)
		return a.bars
	}
	return progress.Lines{Log: a.log, Interval: 10 * time.Second}
}

func (a *app) workspace() workspace.Dir { return workspace.Dir(a.global.Workspace) }

// cluster returns the Kafka cluster to work with: the one of --brokers, else the embedded broker of the workspace,
// which is started, or joined when another process runs it already.
func (a *app) cluster(ctx context.Context) (cluster.Config, error) {
	if len(a.global.Kafka.Brokers) > 0 {
		return a.global.Kafka, nil
	}
	if a.broker == nil {
		a.brokerConfig.Workspace, a.brokerConfig.Log = a.workspace(), a.log
		b, err := broker.Open(ctx, a.brokerConfig)
		if err != nil {
			return cluster.Config{}, err
		}
		a.broker = b
	}
	return a.broker.Cluster(), nil
}

func (a *app) closeProgress() {
	if a.bars != nil {
		a.bars.Close()
		a.bars = nil
	}
}

func (a *app) close() {
	a.endObservers()
	if a.broker != nil {
		if err := a.broker.Close(); err != nil {
			a.log.Error("close the embedded broker", "error", err)
		}
	}
	if a.stopMetrics != nil {
		a.stopMetrics()
	}
}
