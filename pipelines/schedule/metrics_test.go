package schedule

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dssdnet/internal/metrics"
)

func page(r *metrics.Registry) string {
	w := httptest.NewRecorder()
	r.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func (r *rig) shows(want ...string) {
	r.t.Helper()
	got := page(r.Metrics)
	for _, line := range want {
		if !strings.Contains(got, line+"\n") {
			r.t.Errorf("/metrics has no line %s", line)
		}
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(c *Config) { c.Cron, c.WhenNew, c.Metrics = "0 6 * * *", 100, metrics.NewRegistry() })
		r.backlog.waiting, r.takes = 30, 2*time.Hour
		r.start()
		time.Sleep(time.Minute)
		r.shows(
			`dssdnet_schedule_waiting_patents{pipeline="weekly"} 30`,
			`dssdnet_schedule_next_fire_timestamp_seconds{pipeline="weekly"} 9.467064e+08`,
			`dssdnet_schedule_last_success_timestamp_seconds{pipeline="weekly"} 0`,
			`dssdnet_schedule_runs_total{outcome="done",pipeline="weekly"} 0`,
			`dssdnet_schedule_running{pipeline="weekly"} 0`,
		)
		time.Sleep(7 * time.Hour)
		r.shows(`dssdnet_schedule_running{pipeline="weekly"} 1`)
		r.then(time.Hour, func() { r.err, r.lost = errors.New("disk full"), errors.New("no broker") })
		time.Sleep(day)
		r.shows(
			`dssdnet_schedule_runs_total{outcome="done",pipeline="weekly"} 1`,
			`dssdnet_schedule_runs_total{outcome="failed",pipeline="weekly"} 1`,
			`dssdnet_schedule_last_outcome{outcome="failed",pipeline="weekly"} 1`,
			`dssdnet_schedule_last_outcome{outcome="done",pipeline="weekly"} 0`,
			`dssdnet_schedule_last_success_timestamp_seconds{pipeline="weekly"} 9.467136e+08`,
			`dssdnet_schedule_last_run_seconds{pipeline="weekly"} 7200`,
			`dssdnet_schedule_fires_total{pipeline="weekly",trigger="cron"} 2`,
		)
		if strings.Contains(page(r.Metrics), `dssdnet_schedule_poll_errors_total{pipeline="weekly"} 0`) {
			t.Error("looks that failed are not counted")
		}
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
		// What the latest run did is known after a restart.
		r.Metrics = metrics.NewRegistry()
		r.start()
		synctest.Wait()
		r.shows(
			`dssdnet_schedule_last_success_timestamp_seconds{pipeline="weekly"} 9.467136e+08`,
			`dssdnet_schedule_last_outcome{outcome="failed",pipeline="weekly"} 1`,
		)
		if err := r.stop(); err != nil {
			t.Fatal(err)
		}
	})
}
