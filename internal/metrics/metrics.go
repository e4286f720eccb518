// Package metrics shows what the stages report as Prometheus metrics over HTTP.
//
// It wraps a progress.Reporter: the stages count once, and the same numbers reach the terminal and /metrics.
package metrics

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"dssdnet/internal/progress"
)

// Registry holds the metrics of one process. Names follow Prometheus' rules: base units, _total for counters; the
// one label is the stage, so that the number of series does not grow with the data.
type Registry struct {
	registry *prometheus.Registry
	work     *prometheus.CounterVec
	events   *prometheus.CounterVec
	gauges   *prometheus.GaugeVec
	finished *prometheus.GaugeVec
}

// NewRegistry makes a registry with the Go runtime's and the process's metrics.
func NewRegistry() *Registry {
	r := &Registry{
		registry: prometheus.NewRegistry(),
		work: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dssdnet_stage_work_total", Help: "Work done by a stage in its own unit."}, []string{"stage", "unit"}),
		events: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dssdnet_stage_events_total", Help: "What a stage counts beside its work: dead_letters, unchanged ..."}, []string{"stage", "event"}),
		gauges: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "dssdnet_stage_value", Help: "Values of a stage that go up and down: lag ..."}, []string{"stage", "name"}),
		finished: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "dssdnet_stage_last_success_timestamp_seconds", Help: "When a stage last finished without an error."}, []string{"stage"}),
	}
	r.registry.MustRegister(r.work, r.events, r.gauges, r.finished,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// Register adds the metrics of a part of the program that has more to show than a stage's work.
func (r *Registry) Register(each ...prometheus.Collector) { r.registry.MustRegister(each...) }

// Succeeded notes that a stage has finished without an error.
func (r *Registry) Succeeded(stage string, at time.Time) {
	r.finished.WithLabelValues(stage).Set(float64(at.UnixNano()) / 1e9)
}

// Handler serves /metrics and /healthz.
func (r *Registry) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(r.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "ok") })
	return mux
}

// Serve answers on addr (host:port) until stop is called. The address is free to end in :0; bound says what it
// became.
func (r *Registry) Serve(addr string) (bound string, stop func(), err error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return "", nil, fmt.Errorf("metrics address %s: %w", addr, err)
	}
	server := &http.Server{Handler: r.Handler(), ReadHeaderTimeout: 5 * time.Second}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // ends with ErrServerClosed when stop is called
	}()
	stop = func() {
		_ = server.Close()
		<-served
	}
	return listener.Addr().String(), stop, nil
}

// Observe returns a reporter that counts in r and passes everything on to next.
func (r *Registry) Observe(next progress.Reporter) progress.Reporter { return observer{r, next} }

type observer struct {
	*Registry
	next progress.Reporter
}

func (o observer) Start(stage string, total int64, unit progress.Unit) progress.Task {
	return &task{
		Task: o.next.Start(stage, total, unit), registry: o.Registry, stage: stage,
		work: o.work.WithLabelValues(stage, string(unit)),
	}
}

type task struct {
	progress.Task
	registry *Registry
	stage    string
	work     prometheus.Counter
}

func (t *task) Add(n int64) {
	t.work.Add(float64(n))
	t.Task.Add(n)
}

func (t *task) Count(name string, n int64) {
	t.registry.events.WithLabelValues(t.stage, name).Add(float64(n))
	t.Task.Count(name, n)
}

func (t *task) Gauge(name string, value float64) {
	t.registry.gauges.WithLabelValues(t.stage, name).Set(value)
	t.Task.Gauge(name, value)
}
