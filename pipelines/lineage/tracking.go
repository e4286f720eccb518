package lineage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// The limits of one request to MLflow's tracking server, and of what it holds.
const (
	maxMetrics    = 1000
	maxParams     = 20   // the server takes 100, in 1 MB: a byte of a value can need six in JSON
	maxKey        = 250  // bytes
	maxParamValue = 6000 // bytes
	maxTagValue   = 5000 // bytes
)

// api is where MLflow's REST API lies below the tracking server's URL.
const api = "/api/2.0/mlflow/"

// tracking is MLflow's REST API.
type tracking struct{ server *server }

type keyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type metric struct {
	Key       string  `json:"key"`
	Value     float64 `json:"value"`
	Timestamp int64   `json:"timestamp"` // milliseconds
	Step      int     `json:"step"`
}

type experimentInfo struct {
	ID    string `json:"experiment_id"`
	Stage string `json:"lifecycle_stage"`
}

// experiment returns the id of the experiment of a name, which is made when there is none.
func (t tracking) experiment(ctx context.Context, name string) (string, error) {
	id, err := t.experimentByName(ctx, name)
	var no *refusal
	if !errors.As(err, &no) || no.code != "RESOURCE_DOES_NOT_EXIST" && no.status != http.StatusNotFound {
		return id, err
	}
	var made experimentInfo
	err = t.server.post(ctx, api+"experiments/create", map[string]string{"name": name}, &made)
	if errors.As(err, &no) && no.code == "RESOURCE_ALREADY_EXISTS" { // made by another run in between
		return t.experimentByName(ctx, name)
	}
	return made.ID, err
}

func (t tracking) experimentByName(ctx context.Context, name string) (string, error) {
	var got struct {
		Experiment experimentInfo `json:"experiment"`
	}
	err := t.server.get(ctx, api+"experiments/get-by-name", url.Values{"experiment_name": {name}}, &got)
	if err == nil && got.Experiment.Stage == "deleted" {
		return "", fmt.Errorf("experiment %q is deleted: restore it, or set MLFLOW_EXPERIMENT_NAME to another", name)
	}
	return got.Experiment.ID, err
}

// newRun is the request that makes a run.
type newRun struct {
	Experiment string     `json:"experiment_id"`
	Name       string     `json:"run_name"`
	Start      int64      `json:"start_time"` // milliseconds
	Tags       []keyValue `json:"tags"`
}

func (t tracking) create(ctx context.Context, run newRun) (id, artifacts string, err error) {
	var made struct {
		Run struct {
			Info struct {
				ID        string `json:"run_id"`
				Artifacts string `json:"artifact_uri"`
			} `json:"info"`
		} `json:"run"`
	}
	err = t.server.post(ctx, api+"runs/create", run, &made)
	if err == nil && made.Run.Info.ID == "" {
		err = errors.New("the server's answer to runs/create has no run_id: is MLFLOW_TRACKING_URI an MLflow server?")
	}
	return made.Run.Info.ID, made.Run.Info.Artifacts, err
}

// update gives a run its last state: FINISHED, FAILED or KILLED.
func (t tracking) update(ctx context.Context, run, status string, end int64) error {
	return t.server.post(ctx, api+"runs/update", map[string]any{"run_id": run, "status": status, "end_time": end}, nil)
}

// batch is a request to log.
type batch struct {
	Run     string     `json:"run_id"`
	Metrics []metric   `json:"metrics,omitempty"`
	Params  []keyValue `json:"params,omitempty"`
	Tags    []keyValue `json:"tags,omitempty"`
}

func (t tracking) log(ctx context.Context, run string, metrics []metric, params, tags []keyValue) error {
	metrics = slices.DeleteFunc(slices.Clone(metrics), func(m metric) bool { return math.IsNaN(m.Value) || math.IsInf(m.Value, 0) })
	for chunk := range slices.Chunk(metrics, maxMetrics) {
		if err := t.send(ctx, batch{Run: run, Metrics: chunk}); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(params, maxParams) {
		if err := t.send(ctx, batch{Run: run, Params: chunk}); err != nil {
			return err
		}
	}
	if len(tags) == 0 {
		return nil
	}
	return t.send(ctx, batch{Run: run, Tags: tags})
}

func (t tracking) send(ctx context.Context, b batch) error {
	return t.server.post(ctx, api+"runs/log-batch", b, nil)
}

func tag(key, value string) keyValue { return keyValue{key, cut(value, maxTagValue)} }

// params are settings as parameters, in the order of their names.
func params(settings map[string]string) []keyValue {
	all := make([]keyValue, 0, len(settings))
	for name, value := range settings {
		all = append(all, keyValue{key(name), cut(strings.ToValidUTF8(value, "\uFFFD"), maxParamValue)})
	}
	slices.SortFunc(all, func(a, b keyValue) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// strange are the characters that MLflow doesn't take in a name; cutoff are those around the @ of a measure.
var (
	strange = regexp.MustCompile(`[^A-Za-z0-9_./ -]+`)
	cutoff  = regexp.MustCompile(`[^A-Za-z0-9_./ -]*@`)
)

// key makes a name that MLflow takes of a setting or a measure: nDCG@100 becomes nDCG_at_100.
func key(name string) string {
	name = strange.ReplaceAllString(cutoff.ReplaceAllString(name, "_at_"), "_")
	name = strings.Trim(name, "/")
	return name[:min(len(name), maxKey)] // ASCII by now
}
