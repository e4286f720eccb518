package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

// TestAnalystQueries runs every query of docs/analyst.md on the demo's tables.
func TestAnalystQueries(t *testing.T) {
	page, err := os.ReadFile("../../docs/analyst.md")
	if err != nil {
		t.Fatal(err)
	}
	workspace := t.TempDir()
	succeed(t, workspace, "run", "demo", "--set", "patents=300", "--set", "topics=40", "--until", "sample", "--quiet")
	blocks := sqlBlock.FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 10 {
		t.Fatalf("docs/analyst.md has %d queries", len(blocks))
	}
	for _, block := range blocks {
		out := succeed(t, workspace, "query", "--format", "csv", block[1])
		if strings.Count(out, "\n") < 2 {
			t.Errorf("no row from\n%s", block[1])
		}
	}
}
