package metrics

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"dssdnet/internal/progress"
)

func TestServe(t *testing.T) {
	r := NewRegistry()
	addr, stop, err := r.Serve("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	task := r.Observe(progress.Silent).Start("consume", 0, progress.Documents)
	task.Add(7)
	task.Count("dead_letters", 2)
	task.Gauge("lag", 120)
	task.Done()
	r.Succeeded("consume", time.Unix(1_700_000_000, 0))
	page := get(t, "http://"+addr+"/metrics")
	for _, want := range []string{
		`dssdnet_stage_work_total{stage="consume",unit="documents"} 7`,
		`dssdnet_stage_events_total{event="dead_letters",stage="consume"} 2`,
		`dssdnet_stage_value{name="lag",stage="consume"} 120`,
		`dssdnet_stage_last_success_timestamp_seconds{stage="consume"} 1.7e+09`,
		"process_resident_memory_bytes",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	if got := get(t, "http://"+addr+"/healthz"); got != "ok\n" {
		t.Errorf("/healthz = %q", got)
	}
	if _, _, err := r.Serve(addr); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("an address in use: %v", err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
