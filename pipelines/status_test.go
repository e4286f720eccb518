package pipelines

import (
	"strings"
	"testing"
	"time"
)

func TestStatus(t *testing.T) {
	b := newBench(t, chain...)
	if _, err := Status(t.Context(), b.config.Workspace); err == nil || !strings.Contains(err.Error(), "there is no workspace") {
		t.Errorf("of no workspace: %v", err)
	}
	b.wants("a b c")
	b.file(b.table("reports/mine"), "by hand")
	tables := func() map[string]TableStatus {
		t.Helper()
		s, err := Status(t.Context(), b.config.Workspace)
		if err != nil {
			t.Fatal(err)
		}
		if s.Last == nil || s.Last.Pipeline != "test" || s.Last.Status != Done || s.Held != "" {
			t.Errorf("last run %+v, held %q", s.Last, s.Held)
		}
		all := map[string]TableStatus{}
		for _, table := range s.Tables {
			all[table.Name] = table
		}
		return all
	}
	all := tables()
	if len(all) != 4 {
		t.Errorf("tables %v", all)
	}
	c := all["pairs/c"]
	if c.Pipeline != "test" || c.Step != "c" || c.Stage != "make" || c.Files != 1 || c.Bytes != int64(len("C+B+1")) || c.ConfigHash == "" || c.Stale != "" || c.Age(time.Now()) > time.Hour {
		t.Errorf("pairs/c is %+v", c)
	}
	if mine := all["reports/mine"]; mine.Step != "" || mine.Stale != "" {
		t.Errorf("reports/mine is %+v", mine)
	}
	b.file(b.table("pools/b"), "changed")
	all = tables()
	if got := all["pairs/c"].Stale; got != "pools/b has changed" {
		t.Errorf("pairs/c is stale: %q", got)
	}
	if got := all["pools/b"].Stale; got != "its output pools/b is not what it left" {
		t.Errorf("pools/b is stale: %q", got)
	}
	if got := all[patents].Stale; got != "" {
		t.Errorf("patents is stale: %q", got)
	}
}
