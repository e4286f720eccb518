package lineage

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// mlflowServer keeps experiments and runs, and refuses what MLflow's tracking server refuses.
type mlflowServer struct {
	*httptest.Server
	t *testing.T

	mu          sync.Mutex
	artifactURI string // of new runs; the id of the run follows
	experiments map[string]*experimentInfo
	runs        []*mlflowRun
	batches     []int // entities of each log-batch
	failures    int   // requests that are answered 503 before one is taken
	requests    int
}

type mlflowRun struct {
	newRun
	id, status string
	end        float64
	params     map[string]string
	tags       map[string]string
	metrics    map[string][]metric
	files      map[string]string
}

func newMLflowServer(t *testing.T) *mlflowServer {
	s := &mlflowServer{t: t, artifactURI: "mlflow-artifacts:/1/", experiments: map[string]*experimentInfo{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *mlflowServer) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.requests <= s.failures {
		http.Error(w, "starting", http.StatusServiceUnavailable)
		return
	}
	data, _ := io.ReadAll(r.Body)
	if file, ok := strings.CutPrefix(r.URL.Path, "/api/2.0/mlflow-artifacts/artifacts/1/"); ok && r.Method == http.MethodPut {
		id, name, _ := strings.Cut(file, "/")
		s.run(id).files[strings.TrimPrefix(name, "artifacts/")] = string(data)
		return
	}
	answer, code, message := s.answer(r, data)
	if code != "" {
		w.WriteHeader(map[string]int{"RESOURCE_DOES_NOT_EXIST": 404}[code] + map[bool]int{true: 400}[code != "RESOURCE_DOES_NOT_EXIST"])
		answer = map[string]string{"error_code": code, "message": message}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (s *mlflowServer) answer(r *http.Request, data []byte) (answer any, code, message string) {
	invalid := func(format string, args ...any) (any, string, string) {
		s.t.Errorf(format+": %.200s", append(args, data)...)
		return nil, "INVALID_PARAMETER_VALUE", fmt.Sprintf(format, args...)
	}
	switch call := strings.TrimPrefix(r.URL.Path, "/api/2.0/mlflow/"); r.Method + " " + call {
	case "GET experiments/get-by-name":
		e, ok := s.experiments[r.URL.Query().Get("experiment_name")]
		if !ok {
			return nil, "RESOURCE_DOES_NOT_EXIST", "no such experiment"
		}
		return map[string]any{"experiment": e}, "", ""
	case "POST experiments/create":
		var request struct{ Name string }
		if json.Unmarshal(data, &request) != nil || request.Name == "" {
			return invalid("no name")
		}
		if _, ok := s.experiments[request.Name]; ok {
			return nil, "RESOURCE_ALREADY_EXISTS", "it exists"
		}
		s.experiments[request.Name] = &experimentInfo{ID: fmt.Sprint(len(s.experiments) + 1), Stage: "active"}
		return s.experiments[request.Name], "", ""
	case "POST runs/create":
		run := &mlflowRun{params: map[string]string{}, tags: map[string]string{}, metrics: map[string][]metric{}, files: map[string]string{}}
		if json.Unmarshal(data, &run.newRun) != nil || run.Experiment == "" || run.Start == 0 {
			return invalid("experiment_id or start_time is missing")
		}
		run.id, run.status = fmt.Sprintf("run%d", len(s.runs)+1), "RUNNING"
		for _, tag := range run.Tags {
			run.tags[tag.Key] = tag.Value
		}
		s.runs = append(s.runs, run)
		info := map[string]any{"run_id": run.id, "artifact_uri": s.artifactURI + run.id + "/artifacts", "status": run.status}
		return map[string]any{"run": map[string]any{"info": info}}, "", ""
	case "POST runs/log-batch":
		return s.logBatch(data, invalid)
	case "POST runs/update":
		var request struct {
			Run    string  `json:"run_id"`
			Status string  `json:"status"`
			End    float64 `json:"end_time"`
		}
		if json.Unmarshal(data, &request) != nil || s.run(request.Run) == nil || !slices.Contains([]string{"FINISHED", "FAILED", "KILLED"}, request.Status) {
			return invalid("no such run or status")
		}
		run := s.run(request.Run)
		run.status, run.end = request.Status, request.End
		return map[string]any{}, "", ""
	}
	return invalid("%s %s is not known", r.Method, r.URL.Path)
}

var goodKey = regexp.MustCompile(`^[/\w.\- :]+$`)

func (s *mlflowServer) logBatch(data []byte, invalid func(string, ...any) (any, string, string)) (answer any, code, message string) {
	var b batch
	if json.Unmarshal(data, &b) != nil || s.run(b.Run) == nil {
		return invalid("no such run")
	}
	entities := len(b.Metrics) + len(b.Params) + len(b.Tags)
	s.batches = append(s.batches, entities)
	if len(b.Metrics) > 1000 || len(b.Params) > 100 || len(b.Tags) > 100 || entities > 1000 || len(data) > 1e6 {
		return invalid("%d metrics, %d params, %d tags in %d bytes", len(b.Metrics), len(b.Params), len(b.Tags), len(data))
	}
	run := s.run(b.Run)
	for _, p := range b.Params {
		if !goodKey.MatchString(p.Key) || len(p.Key) > 250 || len(p.Value) > 6000 {
			return invalid("param %q of %d bytes", p.Key, len(p.Value))
		}
		if old, ok := run.params[p.Key]; ok && old != p.Value {
			return invalid("param %s is changed", p.Key)
		}
		run.params[p.Key] = p.Value
	}
	for _, m := range b.Metrics {
		if !goodKey.MatchString(m.Key) || len(m.Key) > 250 || m.Timestamp == 0 {
			return invalid("metric %q at %d", m.Key, m.Timestamp)
		}
		run.metrics[m.Key] = append(run.metrics[m.Key], m)
	}
	for _, tag := range b.Tags {
		if !goodKey.MatchString(tag.Key) || len(tag.Value) > 5000 {
			return invalid("tag %q of %d bytes", tag.Key, len(tag.Value))
		}
		run.tags[tag.Key] = tag.Value
	}
	return map[string]any{}, "", ""
}

// run is the run of an id, nil when there is none.
func (s *mlflowServer) run(id string) *mlflowRun {
	for _, run := range s.runs {
		if run.id == id {
			return run
		}
	}
	return nil
}

// named is the run of a name, which there must be once.
func (s *mlflowServer) named(t *testing.T, name string) *mlflowRun {
	t.Helper()
	var found *mlflowRun
	for _, run := range s.runs {
		if run.Name == name {
			if found != nil {
				t.Fatalf("two runs %s", name)
			}
			found = run
		}
	}
	if found == nil {
		t.Fatalf("no run %s", name)
	}
	return found
}
