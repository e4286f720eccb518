package lineage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/pipelines"
)

// Config is what events don't say of the runs that are told.
type Config struct {
	Workspace workspace.Dir
	Brokers   []string     // of the Kafka cluster; none is the embedded broker, whose log lies in the workspace
	Log       *slog.Logger // nil discards
}

// FromEnv makes the observers that the environment asks for: OpenLineage by OPENLINEAGE_URL, MLflow by
// MLFLOW_TRACKING_URI. The caller calls done once when the last run has ended, with a context that an interrupt of the
// run has not ended: done waits for what is still to be sent, 30 seconds at most, and its error says what was lost.
// A wrong value of a variable is a usage error.
func FromEnv(c Config, lookup func(string) (string, bool)) (observers []pipelines.Observer, done func(context.Context) error, err error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	env := environment(lookup)
	lineage, err := c.openLineage(env)
	if err != nil {
		return nil, nil, err
	}
	tracking, err := c.mlflow(env)
	if err != nil {
		return nil, nil, err
	}
	var all []sender
	if lineage != nil {
		lineage.queue = newQueue("OpenLineage", c.Log, lineage.server.unreachable)
		observers, all = append(observers, lineage), append(all, sender{lineage.queue, lineage.server})
	}
	if tracking != nil {
		tracking.queue = newQueue("MLflow", c.Log, tracking.server.unreachable)
		observers, all = append(observers, tracking), append(all, sender{tracking.queue, tracking.server})
	}
	return observers, func(ctx context.Context) error { return closeAll(ctx, all) }, nil
}

// sender is what an observer sends with.
type sender struct {
	queue  *queue
	server *server
}

// closeAll closes the senders side by side: a server that is down takes no time from the other.
func closeAll(ctx context.Context, all []sender) error {
	errs := make([]error, len(all))
	var closing sync.WaitGroup
	for i, s := range all {
		closing.Go(func() {
			errs[i] = s.queue.close(ctx)
			s.server.client.CloseIdleConnections()
		})
	}
	closing.Wait()
	return errors.Join(errs...)
}

// environment reads variables; an empty one is an absent one.
type environment func(string) (string, bool)

func (env environment) or(name, fallback string) string {
	if value, _ := env(name); value != "" {
		return value
	}
	return fallback
}

// server reads the URL of a server. A password in it becomes basic authentication, by net/http.
func (env environment) server(name string) (*url.URL, error) {
	text := env.or(name, "")
	u, err := url.Parse(text)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s is not a URL: %w", name, withoutURL(err))
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fault.New(fault.Usage, "%s is %q, want the URL of a server, such as http://localhost:5000", name, u.Redacted())
	}
	return u, nil
}

// withoutURL is what is wrong with a URL, without the URL, which may hold a password.
func withoutURL(err error) error {
	if e := (*url.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

func (c Config) openLineage(env environment) (*openLineage, error) {
	disabled := strings.ToLower(env.or("OPENLINEAGE_DISABLED", "false"))
	if disabled != "true" && disabled != "false" {
		return nil, fault.New(fault.Usage, "OPENLINEAGE_DISABLED is %q, want true or false", disabled)
	}
	if disabled == "true" || env.or("OPENLINEAGE_URL", "") == "" {
		return nil, nil
	}
	base, err := env.server("OPENLINEAGE_URL")
	if err != nil {
		return nil, err
	}
	parent, err := parseParent(env.or("OPENLINEAGE_PARENT_ID", ""))
	if err != nil {
		return nil, fault.New(fault.Usage, "OPENLINEAGE_PARENT_ID %w", err)
	}
	places, err := newPlaces(c)
	if err != nil {
		return nil, err
	}
	return &openLineage{
		server:    newServer(base, bearer(env.or("OPENLINEAGE_API_KEY", ""))),
		endpoint:  env.or("OPENLINEAGE_ENDPOINT", "/api/v1/lineage"),
		namespace: env.or("OPENLINEAGE_NAMESPACE", "dssdnet"),
		parent:    parent, places: places, log: c.Log,
	}, nil
}

func (c Config) mlflow(env environment) (*mlflow, error) {
	if env.or("MLFLOW_TRACKING_URI", "") == "" {
		return nil, nil
	}
	base, err := env.server("MLFLOW_TRACKING_URI")
	if err != nil {
		return nil, err
	}
	authorize := bearer(env.or("MLFLOW_TRACKING_TOKEN", ""))
	user, password := env.or("MLFLOW_TRACKING_USERNAME", ""), env.or("MLFLOW_TRACKING_PASSWORD", "")
	switch {
	case user != "" && password != "":
		authorize = func(r *http.Request) { r.SetBasicAuth(user, password) }
	case user != "" || password != "":
		return nil, fault.New(fault.Usage, "only one of MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD is set: set both, or MLFLOW_TRACKING_TOKEN")
	}
	return newMLflow(c, newServer(base, authorize), env.or("MLFLOW_EXPERIMENT_NAME", "dssdnet"))
}

// bearer authorizes requests with a token; "" leaves them as they are.
func bearer(token string) func(*http.Request) {
	return func(r *http.Request) {
		if token != "" {
			r.Header.Set("Authorization", fmt.Sprintf("Bearer %s", token))
		}
	}
}
