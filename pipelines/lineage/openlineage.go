package lineage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"dssdnet/internal/manifest"
	"dssdnet/pipelines"
)

// maxMessage is how much of an error is sent.
const maxMessage = 4096

// openLineage sends a RunEvent when a pipeline and each of its steps begin and end. A step that is skipped has no run
// and no event.
type openLineage struct {
	server    *server
	queue     *queue
	endpoint  string
	namespace string // of jobs
	parent    *parentFacet
	places    places
	log       *slog.Logger
}

// Observe implements [pipelines.Observer].
func (o *openLineage) Observe(_ context.Context, e pipelines.Event) {
	event, ok := o.event(e)
	if !ok {
		return
	}
	o.queue.add(func(ctx context.Context) error { return o.server.post(ctx, o.endpoint, event, nil) })
}

// event is what is sent of e; ok is false when nothing is.
func (o *openLineage) event(e pipelines.Event) (event runEvent, ok bool) {
	var state string
	switch e.Type {
	case pipelines.RunStart, pipelines.StepStart:
		state = "START"
	case pipelines.RunDone, pipelines.StepDone:
		state = "COMPLETE"
	case pipelines.RunFail, pipelines.StepFail:
		state = "FAIL"
		if interrupted(e.Err) {
			state = "ABORT"
		}
	default:
		return runEvent{}, false
	}
	event = runEvent{
		EventType: state, EventTime: e.Time.UTC().Format(time.RFC3339Nano),
		Run:    runOf{RunID: e.RunID, Facets: runFacets{Parent: o.parent, Engine: engine()}},
		Job:    jobOf{Namespace: o.namespace, Name: e.Pipeline, Facets: jobFacets{jobType("PIPELINE")}},
		Inputs: o.places.inputs(e.Inputs), Outputs: o.places.outputs(e.Outputs, e.Result),
		Producer: producer(), SchemaURL: specification,
	}
	if e.StepID != "" {
		event.Run.RunID = e.StepID
		event.Run.Facets.Parent = &parentFacet{newFacet(parentSchema), runID{e.RunID}, jobID{o.namespace, e.Pipeline}}
		event.Job.Name += "." + e.Step
		event.Job.Facets.Type = jobType("STEP")
	}
	if state == "FAIL" || state == "ABORT" {
		event.Run.Facets.Error = &errorFacet{newFacet(errorSchema), cut(fmt.Sprint(e.Err), maxMessage), "Go"}
	}
	return event, true
}

// interrupted reports whether a run ended because someone ended it.
func interrupted(err error) bool { return errors.Is(err, context.Canceled) }

func engine() engineFacet {
	return engineFacet{newFacet(engineSchema), manifest.Tool, "dssdnet", manifest.Tool}
}

func jobType(kind string) jobTypeFacet {
	return jobTypeFacet{newFacet(jobTypeSchema), "BATCH", "DSSDNET", kind}
}

var uuidRule = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// parseParent reads "namespace/job/run", which a scheduler sets to be the parent of the runs that it starts.
func parseParent(text string) (*parentFacet, error) {
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, "/")
	n := len(parts)
	if n < 3 || !uuidRule.MatchString(parts[n-1]) || parts[n-2] == "" {
		return nil, fmt.Errorf("is %q, want namespace/job/run, where run is a UUID", text)
	}
	return &parentFacet{newFacet(parentSchema), runID{parts[n-1]}, jobID{strings.Join(parts[:n-2], "/"), parts[n-2]}}, nil
}
