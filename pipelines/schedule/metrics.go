package schedule

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dssdnet/internal/metrics"
)

// gauges are the metrics of a scheduler. Every series exists from the start, so that a rate sees the first event.
type gauges struct {
	running, queued      prometheus.Gauge
	runStarted           prometheus.Gauge
	lastSeconds          prometheus.Gauge
	lastRun, lastSuccess prometheus.Gauge
	nextFire, waiting    prometheus.Gauge
	pollErrors           prometheus.Counter
	lastOutcome          *prometheus.GaugeVec
	runs, fires, skipped *prometheus.CounterVec
}

func newGauges(c Config) *gauges {
	labels := prometheus.Labels{"pipeline": c.Pipeline}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: "dssdnet_schedule_" + name, Help: help, ConstLabels: labels})
	}
	counters := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dssdnet_schedule_" + name, Help: help, ConstLabels: labels}, []string{label})
	}
	g := &gauges{
		running:     gauge("running", "1 while a run goes on."),
		queued:      gauge("queued", "1 while a run waits for another to end."),
		runStarted:  gauge("run_start_timestamp_seconds", "When the latest run began."),
		lastSeconds: gauge("last_run_seconds", "How long the latest run took that has ended."),
		lastRun:     gauge("last_run_timestamp_seconds", "When the latest run ended; 0 = none has."),
		lastSuccess: gauge("last_success_timestamp_seconds", "When a run last ended well; 0 = none has."),
		nextFire:    gauge("next_fire_timestamp_seconds", "When the cron line fires next; 0 = there is none."),
		waiting:     gauge("waiting_patents", "Patents in the topic that consume has not taken, at the latest look."),
		pollErrors: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "dssdnet_schedule_poll_errors_total", Help: "Looks at the topic that failed.", ConstLabels: labels}),
		lastOutcome: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "dssdnet_schedule_last_outcome", Help: "1 for how the latest run ended, 0 for the others.", ConstLabels: labels}, []string{"outcome"}),
		runs:    counters("runs_total", "Runs that have ended.", "outcome"),
		fires:   counters("fires_total", "Reasons to run.", "trigger"),
		skipped: counters("skipped_total", "Fires that became no run.", "reason"),
	}
	for _, o := range outcomes {
		g.runs.WithLabelValues(string(o))
		g.lastOutcome.WithLabelValues(string(o))
	}
	for _, t := range []Trigger{Cron, New} {
		g.fires.WithLabelValues(string(t))
	}
	for _, r := range []Reason{Overlapped, Held, Missed} {
		g.skipped.WithLabelValues(string(r))
	}
	return g
}

func (g *gauges) register(r *metrics.Registry) {
	if r != nil {
		r.Register(g.running, g.queued, g.runStarted, g.lastSeconds, g.lastRun, g.lastSuccess, g.nextFire, g.waiting,
			g.pollErrors, g.lastOutcome, g.runs, g.fires, g.skipped)
	}
}

// last shows the latest run, also one of an earlier process.
func (g *gauges) last(s state) {
	g.lastSuccess.Set(unix(s.LastSuccess))
	if s.LastRun == nil {
		return
	}
	for _, o := range outcomes {
		g.lastOutcome.WithLabelValues(string(o)).Set(number(o == s.LastRun.Outcome))
	}
	g.runStarted.Set(unix(s.LastRun.Started))
	g.lastRun.Set(unix(s.LastRun.Ended))
	g.lastSeconds.Set(s.LastRun.Seconds)
}

func unix(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1e3
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
