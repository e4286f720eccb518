package lineage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dssdnet/ingest/merge"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
)

// lineageServer keeps the events it is sent, and refuses those that are no RunEvent of spec 2-0-2.
type lineageServer struct {
	*httptest.Server
	mu     sync.Mutex
	events []map[string]any
	paths  []string
	keys   []string
}

func newLineageServer(t *testing.T) *lineageServer {
	s := &lineageServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var event map[string]any
		if err := json.Unmarshal(data, &event); err == nil && r.Method == http.MethodPost && r.Header.Get("Content-Type") == "application/json" {
			if err = checkRunEvent(event); err != nil {
				t.Errorf("%v: %s", err, data)
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.events, s.paths, s.keys = append(s.events, event), append(s.paths, r.URL.Path), append(s.keys, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusCreated)
	}))
	t.Cleanup(s.Close)
	return s
}

// checkRunEvent checks what the specification asks of a RunEvent and of the facets in it.
func checkRunEvent(event map[string]any) error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	text := func(m any, key string) string {
		fields, _ := m.(map[string]any)
		s, _ := fields[key].(string)
		need(s != "", "%s is missing", key)
		return s
	}
	checkFacets := func(m any) {
		facets, _ := m.(map[string]any)
		for name, f := range facets {
			for _, key := range []string{"_producer", "_schemaURL"} {
				u, err := url.Parse(text(f, key))
				need(err == nil && u.IsAbs(), "%s of facet %s is no URI", key, name)
			}
		}
	}
	switch event["eventType"] {
	case "START", "COMPLETE", "FAIL", "ABORT":
	default:
		need(false, "eventType %v", event["eventType"])
	}
	_, err := time.Parse(time.RFC3339Nano, text(event, "eventTime"))
	need(err == nil, "eventTime: %v", err)
	producer, err := url.Parse(text(event, "producer"))
	need(err == nil && producer.IsAbs(), "producer is no URI")
	need(text(event, "schemaURL") == "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent", "schemaURL %v", event["schemaURL"])
	run, _ := event["run"].(map[string]any)
	need(uuidRule.MatchString(text(run, "runId")), "runId %v is no UUID", run["runId"])
	checkFacets(run["facets"])
	job, _ := event["job"].(map[string]any)
	text(job, "namespace")
	text(job, "name")
	checkFacets(job["facets"])
	for _, side := range []string{"inputs", "outputs"} {
		datasets, ok := event[side].([]any)
		need(ok, "%s is no list", side)
		for _, d := range datasets {
			text(d, "namespace")
			text(d, "name")
			for _, kind := range []string{"facets", "inputFacets", "outputFacets"} {
				checkFacets(d.(map[string]any)[kind])
			}
		}
	}
	return errors.Join(errs...)
}

// at is the value at a path of keys and numbers: outputs.0.name.
func at(value any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[key]
		case []any:
			i := 0
			if _, err := fmt.Sscan(key, &i); err != nil || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

func (s *lineageServer) check(t *testing.T, n int, want map[string]any) {
	t.Helper()
	if n >= len(s.events) {
		t.Fatalf("%d events, want more than %d", len(s.events), n)
	}
	for path, value := range want {
		if diff := cmp.Diff(value, at(s.events[n], path)); diff != "" {
			t.Errorf("event %d, %s: %s", n, path, diff)
		}
	}
}

func TestRunOfOneStep(t *testing.T) {
	s := newLineageServer(t)
	dir := t.TempDir()
	o := newObservers(t, Config{Workspace: workspace.Dir(dir)}, map[string]string{"OPENLINEAGE_URL": s.URL, "OPENLINEAGE_API_KEY": "secret"})
	inputs := []pipelines.Data{{Name: "documents", Fingerprint: "f1", Bytes: 1000, Files: 3}, {Name: "/data/extra.txt", Bytes: 5, Files: 1}}
	o.observe(
		pipelines.Event{Type: pipelines.RunStart},
		pipelines.Event{Type: pipelines.StepSkip, Step: "consume", Stage: "ingest consume", Reason: "nothing new"},
		pipelines.Event{Type: pipelines.StepStart, Step: "merge", Stage: "ingest merge", Inputs: inputs, Outputs: []pipelines.Data{{Name: "patents"}}},
		pipelines.Event{Type: pipelines.StepDone, Step: "merge", Stage: "ingest merge", Inputs: inputs, Result: merge.Result{Patents: 42},
			Outputs: []pipelines.Data{{Name: "patents", Fingerprint: "f2", Bytes: 700, Files: 2}}},
		pipelines.Event{Type: pipelines.RunDone},
	)
	o.end(t)
	if len(s.events) != 4 {
		t.Fatalf("%d events", len(s.events))
	}
	for i := range s.events {
		if s.paths[i] != "/api/v1/lineage" || s.keys[i] != "Bearer secret" {
			t.Errorf("event %d: sent to %s with %q", i, s.paths[i], s.keys[i])
		}
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, 0, map[string]any{
		"eventType": "START", "eventTime": "2010-09-01T12:00:00Z", "run.runId": runUUID, "job.namespace": "dssdnet", "job.name": "retrain",
		"run.facets.parent": nil, "producer": "pkg:golang/dssdnet@dev", "run.facets.processing_engine.name": "dssdnet",
		"run.facets.processing_engine.version": "dev", "job.facets.jobType.processingType": "BATCH", "job.facets.jobType.jobType": "PIPELINE",
	})
	s.check(t, 1, map[string]any{
		"eventType": "START", "run.runId": stepUUID, "job.name": "retrain.merge", "run.facets.parent.run.runId": runUUID,
		"run.facets.parent.job.name": "retrain", "run.facets.parent.job.namespace": "dssdnet", "outputs.0.outputFacets.outputStatistics.rowCount": nil,
	})
	s.check(t, 2, map[string]any{
		"eventType": "COMPLETE", "run.runId": stepUUID, "inputs.0.namespace": "file://" + host, "inputs.0.name": dir + "/documents",
		"inputs.0.inputFacets.inputStatistics.size": 1000.0, "inputs.0.facets.version.datasetVersion": "f1",
		"inputs.0.facets.schema.fields.0.name": "ucid", "inputs.0.facets.schema.fields.0.type": "VARCHAR",
		"inputs.1.name": "/data/extra.txt", "inputs.1.facets.schema": nil,
		"outputs.0.name": dir + "/patents", "outputs.0.facets.schema._schemaURL": tableSchema,
		"outputs.0.outputFacets.outputStatistics.rowCount": 42.0, "outputs.0.outputFacets.outputStatistics.size": 700.0,
		"outputs.0.outputFacets.outputStatistics.fileCount": 2.0,
	})
	s.check(t, 3, map[string]any{"eventType": "COMPLETE", "run.runId": runUUID, "run.facets.errorMessage": nil})
}

func TestFailuresAndInterrupts(t *testing.T) {
	s := newLineageServer(t)
	o := newObservers(t, Config{}, map[string]string{
		"OPENLINEAGE_URL": s.URL + "/lineage", "OPENLINEAGE_ENDPOINT": "events", "OPENLINEAGE_NAMESPACE": "patents",
		"OPENLINEAGE_PARENT_ID": "airflow/weekly.train/" + stepUUID,
	})
	long := errors.New(strings.Repeat("ü", maxMessage))
	o.observe(
		pipelines.Event{Type: pipelines.StepFail, Step: "train", Stage: "train", Err: long},
		pipelines.Event{Type: pipelines.RunFail, Err: fmt.Errorf("train: %w", context.Canceled)},
	)
	o.end(t)
	s.check(t, 0, map[string]any{"eventType": "FAIL", "run.facets.errorMessage.programmingLanguage": "Go", "job.namespace": "patents"})
	if message, _ := at(s.events[0], "run.facets.errorMessage.message").(string); len(message) > maxMessage || !strings.HasSuffix(message, "ü"+mark) {
		t.Errorf("%d bytes: %q", len(message), message)
	}
	s.check(t, 1, map[string]any{
		"eventType": "ABORT", "run.facets.errorMessage.message": "train: context canceled", "run.facets.parent.run.runId": stepUUID,
		"run.facets.parent.job.namespace": "airflow", "run.facets.parent.job.name": "weekly.train",
	})
	if s.paths[0] != "/lineage/events" {
		t.Error(s.paths[0])
	}
}

func TestKafkaDatasets(t *testing.T) {
	topic := pipelines.Data{Name: "kafka/patents.xml"}
	outside := places{host: "h", workspace: "/work space", brokers: []string{"broker1:9092", "broker2:9092"}}
	if namespace, name := outside.of(topic.Name); namespace != "kafka://broker1:9092" || name != "patents.xml" {
		t.Error(namespace, name)
	}
	embedded := places{host: "h", workspace: "/work space"}
	if namespace, name := embedded.of(topic.Name); namespace != "file://h" || name != "/work space/kafka/patents.xml" {
		t.Error(namespace, name)
	}
}

func TestPartsOfADatasetAreOne(t *testing.T) {
	got := whole([]pipelines.Data{
		{Name: "topics/train", Fingerprint: "a", Bytes: 1, Files: 1}, {Name: "checkpoints/first/best", Fingerprint: "b"},
		{Name: "topics/test", Fingerprint: "c", Bytes: 10, Files: 1}, {Name: "/data/topics/x"}, {Name: "kafka/patents.xml"}, {Name: "reports/r/compare.json"},
	})
	want := []pipelines.Data{
		{Name: "topics", Bytes: 11, Files: 2}, {Name: "checkpoints/first", Fingerprint: "b"}, {Name: "/data/topics/x"}, {Name: "kafka/patents.xml"}, {Name: "reports/r"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFieldsOfTables(t *testing.T) {
	for name, first := range map[string]string{"pools/bm25": "topic_id", "pairs/plain": "topic_id", "qrels": "topic_id", "patents": "patent_id"} {
		if got := fieldsOf(name); len(got) == 0 || got[0].Name != first {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, name := range []string{"kafka/patents.xml", "index", "checkpoints/first", "/data/patents", "reports/r"} {
		if got := fieldsOf(name); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, f := range fieldsOf("documents") {
		switch f.Name {
		case "ipc":
			if f.Type != "array" || len(f.Fields) != 1 || f.Fields[0].Name != "_element" || f.Fields[0].Type != "STRUCT" || f.Fields[0].Fields[0].Name != "symbol" {
				t.Errorf("%+v", f)
			}
		case "ipc_subclasses":
			if f.Type != "array" || f.Fields[0].Type != "VARCHAR" || len(f.Fields[0].Fields) != 0 {
				t.Errorf("%+v", f)
			}
		case "source":
			if f.Type != "STRUCT" || f.Fields[0].Name != "topic" {
				t.Errorf("%+v", f)
			}
		}
	}
}

func TestDeadServerLosesNoRun(t *testing.T) {
	s := newLineageServer(t)
	s.Close()
	o := newObservers(t, Config{}, map[string]string{"OPENLINEAGE_URL": s.URL})
	for range 20 {
		o.observe(pipelines.Event{Type: pipelines.RunStart}, pipelines.Event{Type: pipelines.RunDone})
	}
	err := o.done(context.Background())
	if err == nil || !strings.Contains(err.Error(), "OpenLineage was not told of 40 events of the runs, the first because Post") {
		t.Error(err)
	}
	if n := strings.Count(o.log.String(), "\n"); n != 1 {
		t.Errorf("%d lines: %s", n, o.log)
	}
}
