package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"dssdnet/eval/compare"
	"dssdnet/pipelines/registry"
)

const analystPage = "../../docs/analyst.md"

// TestAnalystQueries runs every query of docs/analyst.md on small tables of every kind, and every Python example where there
// is a Python.
func TestAnalystQueries(t *testing.T) {
	a := newAnalyst(t)
	queries := fenced(t, analystPage, "sql")
	if len(queries) < 20 {
		t.Fatalf("%s has %d queries", analystPage, len(queries))
	}
	for _, query := range queries {
		a.answers(t, query)
	}
	t.Run("recall", func(t *testing.T) { a.recall(t, queries) })
	python := os.Getenv("DSSDNET_PYTHON")
	for _, program := range fenced(t, analystPage, "python") {
		name := strings.NewReplacer("from ", "", "import ", "").Replace(strings.SplitN(program, "\n", 2)[0])
		t.Run(name, func(t *testing.T) {
			if python == "" {
				t.Skip("needs a Python with pyarrow, polars and duckdb: DSSDNET_PYTHON, see tests/interop/setup-venv.sh")
			}
			if strings.Contains(program, "pyspark") && exec.Command(python, "-c", "import pyspark").Run() != nil {
				t.Skip("needs a Python with pyspark: DSSDNET_PYTHON")
			}
			a.run(t, python, "-c", program)
		})
	}
}

// analyst is a folder with a workspace "work", as the page has it.
type analyst struct{ dir string }

// newAnalyst makes the demo's tables, and without training what stands for a re-ranked pool: one drawn with few terms. Its
// versions of models have no weights.
func newAnalyst(t *testing.T) analyst {
	t.Helper()
	a := analyst{t.TempDir()}
	a.run(t, "dssdnet", "run", "demo", "--set", "patents=600", "--set", "topics=100", "--until", "sample", "--quiet")
	a.run(t, "dssdnet", "index", "search", "--pool", "few-terms", "--sets", "test", "--max-terms", "5", "--trec", "work/runs/few-terms.trec.gz", "--quiet")
	a.run(t, "dssdnet", "eval", "--run", "dssdnet=work/runs/few-terms.trec.gz", "--set", "test", "--pool", "bm25", "--report", "demo", "--quiet")
	for i, status := range []registry.Status{registry.Promoted, registry.Refused} {
		m := registry.Model{
			Format: registry.Format, Version: "v" + strconv.Itoa(i+1), Created: time.Date(2026, 1, 5+7*i, 6, 0, 0, 0, time.UTC), Status: status, Reason: "a reason",
			Figures: []registry.Figure{{Measure: "PRES@100", Mean: 0.6, Test: &compare.Test{}}}, Lineage: registry.Lineage{Network: "dssdnet", Pairs: "bm25", Seed: 1},
		}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(a.dir, "work", "models", m.Version)
		if err := os.MkdirAll(filepath.Join(folder, "checkpoint"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "model.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a.run(t, "dssdnet", "model", "promote", "v1") // the link current must not count as a version
	return a
}

func (a analyst) run(t *testing.T, words ...string) string {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = a.dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, stderr.String())
	}
	return string(out)
}

// answers runs a query whose every column must have a value somewhere.
func (a analyst) answers(t *testing.T, query string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(a.run(t, "dssdnet", "query", "--format", "csv", query))).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Errorf("%d rows with the header, %v, from\n%s", len(rows), err, query)
		return rows
	}
	for i, column := range rows[0] {
		empty := true
		for _, row := range rows[1:] {
			empty = empty && row[i] == ""
		}
		if empty {
			t.Errorf("nothing in the column %s of\n%s", column, query)
		}
	}
	return rows
}

// recall compares the recall that the page computes by hand with what search has left in its manifest.
func (a analyst) recall(t *testing.T, queries []string) {
	var byHand, left [][]string
	for _, query := range queries {
		switch {
		case strings.Contains(query, "recall_1000"):
			byHand = a.answers(t, query)
		case strings.Contains(query, "read_json('work/manifests/index-search"):
			left = a.answers(t, query)
		}
	}
	if len(byHand) != 2 || len(left) < 5 {
		t.Fatalf("the two queries give %v and %v", byHand, left)
	}
	want := map[string][]string{} // by cut-off
	for _, row := range left[1:] {
		want[row[2]] = row
	}
	got := byHand[1]
	for column, cutoff := range map[int]string{2: "100", 3: "1000"} {
		row := want[cutoff]
		if row == nil || got[0] != row[0] || got[1] != row[1] || !near(got[column], row[4]) {
			t.Errorf("at %s: topics, golds, recall by hand %v, of search %v", cutoff, got, row)
		}
	}
}

func near(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && x > 0 && math.Abs(x-y) < 1e-12
}

// fenced are the blocks of a page in one language.
func fenced(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, block := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}
