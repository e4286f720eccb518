package schedule

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"dssdnet/internal/metrics"
	"dssdnet/internal/progress"
)

// ops is the folder of the files for those who operate dssdnet.
const ops = "../../docs/ops"

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(ops, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// exported is what /metrics shows of a scheduler whose runs have consumed.
func exported() string {
	c := Default()
	c.Pipeline, c.Metrics = "retrain", metrics.NewRegistry()
	newGauges(c).register(c.Metrics)
	task := c.Metrics.Observe(progress.Silent).Start("consume", 0, progress.Records)
	task.Add(1)
	task.Count("dead_letters", 1)
	task.Gauge("lag", 1)
	task.Done()
	c.Metrics.Succeeded("consume", time.Unix(1, 0))
	return page(c.Metrics)
}

var (
	metricUse = regexp.MustCompile(`\b((?:dssdnet|process)_[a-z_]+)(?:\{([^}]*)\})?`)
	labelUse  = regexp.MustCompile(`([a-z]+)=(~?)"([^"]*)"`)
)

// checkMetrics fails for each metric, label and value in a query that the program never exports.
func checkMetrics(t *testing.T, page, query string) {
	t.Helper()
	uses := metricUse.FindAllStringSubmatch(query, -1)
	if len(uses) == 0 {
		t.Errorf("no metric in %s", query)
	}
	for _, use := range uses {
		if !strings.Contains(page, "\n"+use[1]+"{") && !strings.Contains(page, "\n"+use[1]+" ") {
			t.Errorf("the program exports no %s: %s", use[1], query)
		}
		for _, label := range labelUse.FindAllStringSubmatch(use[2], -1) {
			if label[1] == "instance" || strings.Contains(label[3], "$") {
				continue // set by Prometheus, or chosen in the dashboard
			}
			for _, value := range strings.Split(label[3], "|") {
				series := regexp.MustCompile(`(?m)^` + use[1] + `\{[^}]*` + label[1] + `="` + value + `"`)
				if !series.MatchString(page) {
					t.Errorf("%s has no %s=%q: %s", use[1], label[1], value, query)
				}
			}
		}
	}
}

func TestAlertsUseWhatIsExported(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	dec := yaml.NewDecoder(strings.NewReader(read(t, "prometheus-rules.yml")))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		t.Fatal(err)
	}
	page := exported()
	n := 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			n++
			checkMetrics(t, page, r.Expr)
			if r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["action"] == "" {
				t.Errorf("alert %q lacks a severity, a summary or an action", r.Alert)
			}
			if _, err := time.ParseDuration(r.For); r.For != "" && err != nil {
				t.Errorf("alert %s: %v", r.Alert, err)
			}
			if !strings.Contains(schedulerPage(t), "`"+r.Alert+"`") {
				t.Errorf("docs/scheduler.md says nothing of alert %s", r.Alert)
			}
		}
	}
	if n < 8 {
		t.Errorf("%d alerts", n)
	}
}

func TestDashboardUsesWhatIsExported(t *testing.T) {
	var board struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct {
				Name  string
				Query any
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, "grafana-dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	page := exported()
	ids := map[int]bool{}
	for i, p := range board.Panels {
		if ids[p.ID] || p.Title == "" || len(p.Targets) == 0 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("panel %d (%q): no title or query, an id used twice, or too wide", p.ID, p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			checkMetrics(t, page, target.Expr)
		}
		for _, q := range board.Panels[:i] {
			a, b := p.GridPos, q.GridPos
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Errorf("panels %q and %q lie on each other", p.Title, q.Title)
			}
		}
	}
	for _, v := range board.Templating.List {
		if q, ok := v.Query.(map[string]any); ok {
			checkMetrics(t, page, q["query"].(string))
		}
	}
}

func schedulerPage(t *testing.T) string { return read(t, "../scheduler.md") }

// TestEveryMetricIsExplained finds each of the scheduler's metrics in docs/scheduler.md.
func TestEveryMetricIsExplained(t *testing.T) {
	text := schedulerPage(t)
	for _, help := range regexp.MustCompile(`(?m)^# HELP (dssdnet_schedule_\w+)`).FindAllStringSubmatch(exported(), -1) {
		if name := strings.TrimPrefix(help[1], "dssdnet_schedule_"); !strings.Contains(text, "`"+name+"`") && !strings.Contains(text, "`"+name+"{") {
			t.Errorf("docs/scheduler.md does not explain %s", help[1])
		}
	}
}

// TestOneCommandEverywhere finds the same command in the files of all schedulers, and their cron lines readable.
func TestOneCommandEverywhere(t *testing.T) {
	var job struct {
		Kind string
		Spec struct {
			Schedule    string
			TimeZone    string `yaml:"timeZone"`
			JobTemplate struct {
				Spec struct {
					Template struct {
						Spec struct {
							Containers []struct{ Command, Args []string }
						}
					}
				}
			} `yaml:"jobTemplate"`
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "kubernetes-cronjob.yaml")), &job); err != nil {
		t.Fatal(err)
	}
	if job.Kind != "CronJob" {
		t.Errorf("kind %q", job.Kind)
	}
	if _, err := parseLine(job.Spec.Schedule, job.Spec.TimeZone); err != nil {
		t.Error(err)
	}
	pod := job.Spec.JobTemplate.Spec.Template.Spec.Containers[0]
	for name, text := range map[string]string{
		"kubernetes-cronjob.yaml":         strings.Join(append(pod.Command, pod.Args...), " "),
		"airflow_dag.py":                  read(t, "airflow_dag.py"),
		"crontab":                         read(t, "crontab"),
		"systemd/dssdnet-retrain.service": read(t, "systemd/dssdnet-retrain.service"),
	} {
		if !regexp.MustCompile(`dssdnet run retrain --config \S+ --wait 1h`).MatchString(text) {
			t.Errorf("%s does not call the command of the others", name)
		}
	}
	line := regexp.MustCompile(`(?m)^(\S+ \S+ \S+ \S+ \S+) \S*dssdnet run`).FindStringSubmatch(read(t, "crontab"))
	if line == nil {
		t.Fatal("no line in crontab")
	}
	if _, err := parseLine(line[1], "Europe/Vienna"); err != nil {
		t.Error(err)
	}
}

func TestUnitsAndDAG(t *testing.T) {
	if out, err := exec.Command("python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", filepath.Join(ops, "airflow_dag.py")).CombinedOutput(); err != nil {
		t.Errorf("python3 cannot read airflow_dag.py: %v\n%s", err, out)
	}
	setting := regexp.MustCompile(`^(#.*|\[\w+\]|[A-Z]\w*=.+|)$`)
	units, err := filepath.Glob(filepath.Join(ops, "systemd", "*"))
	if err != nil || len(units) != 3 {
		t.Fatalf("units %q, %v", units, err)
	}
	for _, unit := range units {
		data, err := os.ReadFile(unit)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(data), "\n") {
			if !setting.MatchString(line) {
				t.Errorf("%s:%d: %q is no line of a unit", unit, i+1, line)
			}
		}
	}
	started := regexp.MustCompile(`dssdnet schedule retrain .*--cron "([^"]+)" --time-zone (\S+)`).FindStringSubmatch(read(t, "systemd/dssdnet-schedule.service"))
	if started == nil {
		t.Fatal("dssdnet-schedule.service does not start the scheduler")
	}
	if _, err := parseLine(started[1], started[2]); err != nil {
		t.Error(err)
	}
}
