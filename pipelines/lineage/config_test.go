package lineage

import (
	"context"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"dssdnet/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOffWithoutVariables(t *testing.T) {
	for _, env := range []map[string]string{
		nil,
		{"OPENLINEAGE_URL": "", "MLFLOW_TRACKING_URI": ""},
		{"OPENLINEAGE_DISABLED": "true", "OPENLINEAGE_URL": "http://localhost:1"},
		{"OPENLINEAGE_NAMESPACE": "n", "MLFLOW_EXPERIMENT_NAME": "e"},
	} {
		o := newObservers(t, Config{}, env)
		if len(o.all) != 0 {
			t.Errorf("%v: %d observers", env, len(o.all))
		}
		if err := o.done(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongValuesAreUsageErrors(t *testing.T) {
	for want, env := range map[string]map[string]string{
		`OPENLINEAGE_URL is "localhost:5000", want the URL of a server`:                   {"OPENLINEAGE_URL": "localhost:5000"},
		`OPENLINEAGE_URL is "http:", want the URL`:                                        {"OPENLINEAGE_URL": "http://"},
		`OPENLINEAGE_URL is not a URL: invalid port`:                                      {"OPENLINEAGE_URL": "http://user:secret@host:port"},
		`OPENLINEAGE_URL is "ftp://user:xxxxx@host"`:                                      {"OPENLINEAGE_URL": "ftp://user:secret@host"},
		`OPENLINEAGE_DISABLED is "maybe", want true or false`:                             {"OPENLINEAGE_DISABLED": "maybe"},
		`OPENLINEAGE_PARENT_ID is "a/b", want namespace/job/run, where run is a UUID`:     {"OPENLINEAGE_URL": "http://h", "OPENLINEAGE_PARENT_ID": "a/b"},
		`MLFLOW_TRACKING_URI is "sqlite:///mlflow.db", want the URL of a server`:          {"MLFLOW_TRACKING_URI": "sqlite:///mlflow.db"},
		`only one of MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD is set`:        {"MLFLOW_TRACKING_URI": "http://h", "MLFLOW_TRACKING_USERNAME": "u"},
		`MLFLOW_TRACKING_URI is "./mlruns", want the URL of a server, such as http://loc`: {"MLFLOW_TRACKING_URI": "./mlruns"},
	} {
		observers, done, err := FromEnv(Config{}, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if observers != nil || done != nil || err == nil {
			t.Errorf("%v is taken", env)
			continue
		}
		if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v, want %s", env, err, want)
		}
	}
}

func TestParentID(t *testing.T) {
	parent, err := parseParent("team/a/dag.task/" + runUUID)
	if err != nil || parent.Job != (jobID{"team/a", "dag.task"}) || parent.Run.RunID != runUUID {
		t.Errorf("%+v, %v", parent, err)
	}
}
