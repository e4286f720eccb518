package pipelines

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"dssdnet/internal/cluster"
	"dssdnet/internal/progress"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// binding is a stage as a step calls it: with a Config of its own.
type binding struct {
	section *settings.Section // of the Config, under the name that the stage's command gives it
	// take takes the positional arguments, of which there are at least least and at most most.
	take        func(args []string)
	least, most int
	// check says what is wrong with the Config, before anything is run.
	check func() error
	// reads and writes follow from the Config.
	reads, writes func() []ref
	run           func(ctx context.Context, w world) (any, error)
	// schema is the tag of the manifest that the command leaves for the stage; "" when the stage leaves its own, or none.
	schema string
	// topic is the one of Kafka that a publisher fills, and follow what consumes it meanwhile.
	topic  string
	follow func(ctx context.Context, w world) error
	// aside moves away what an earlier run has left, so that a forced one does not go on with it; nil where the stage has
	// a setting for that.
	aside func(w world) error
}

// world is what a stage runs in.
type world struct {
	workspace workspace.Dir
	cluster   func(context.Context) (cluster.Config, error)
	log       *slog.Logger
	progress  progress.Reporter
	pipeline  string
	runID     string
}

// catalog are the stages by their commands.
type catalog map[string]func(place) *binding

// stages are those that there are.
var stages = catalog{
	"synth":            bindSynth,
	"ingest publish":   bindPublish,
	"ingest consume":   bindConsume,
	"ingest merge":     bindMerge,
	"ingest topics":    bindTopics,
	"ingest qrels":     bindQrels,
	"index build":      bindIndexBuild,
	"index search":     bindIndexSearch,
	"index fuse":       bindIndexFuse,
	"sample":           bindSample,
	"train":            bindTrain,
	"rerank":           bindRerank,
	"eval":             bindEval,
	"eval compare":     bindEvalCompare,
	"eval report":      bindEvalReport,
	"eval weigh":       bindEvalWeigh,
	"eval interpolate": bindEvalInterpolate,
	"promote":          bindPromote,
}

func (c catalog) names() []string { return slices.Sorted(maps.Keys(c)) }

// noArgs is of a command without positional arguments.
func noArgs([]string) {}

// validated checks a Config as it will be by then: cfg.Validate would check a copy of now.
func validated[C interface{ Validate() error }](c *C) func() error {
	return func() error { return (*c).Validate() }
}

func refs(all ...ref) func() []ref { return func() []ref { return all } }

// someKafka stands for the cluster while settings are checked: whether there is one shows when it is needed.
var someKafka = cluster.Config{Brokers: []string{"127.0.0.1:9092"}}
