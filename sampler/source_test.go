package sampler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/internal/durable"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// TestOpenFilesOutliveASwap replaces the folder while its files are read.
func TestOpenFilesOutliveASwap(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	writeTable(t, ws, schemas.Qrels, "a", []schemas.Qrel{{TopicID: "T", PatentID: "EP-1", Grade: 1, Set: "s"}})
	s, err := openSource(ws, "qrels", schemas.Qrels, "remedy")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	fresh, err := durable.TempDir(ws.Table("qrels"))
	if err != nil {
		t.Fatal(err)
	}
	writeRows(t, schemas.Qrels, filepath.Join(fresh, "a.parquet"), []schemas.Qrel{{TopicID: "T", PatentID: "EP-2", Grade: 1, Set: "s"}})
	if err := durable.SwapDir(fresh, ws.Table("qrels")); err != nil {
		t.Fatal(err)
	}
	if s.isCurrent(ws) {
		t.Error("the swap went unnoticed")
	}
	var patents []string
	err = each(context.Background(), s.files[0], func(row *qrelRow) error {
		patents = append(patents, strings.Clone(row.PatentID))
		return nil
	})
	if err != nil || strings.Join(patents, " ") != "EP-1" {
		t.Errorf("read %v, %v, want EP-1", patents, err)
	}
}

func TestHashes(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	writeTable(t, ws, schemas.Qrels, "a", []schemas.Qrel{{TopicID: "T", PatentID: "EP-1", Grade: 1, Set: "s"}})
	hash := func() string {
		s, err := openSource(ws, "qrels", schemas.Qrels, "remedy")
		if err != nil {
			t.Fatal(err)
		}
		defer s.close()
		if err := s.hash(ws); err != nil {
			t.Fatal(err)
		}
		return s.inputs()[0].SHA256
	}
	own := hash()
	if len(own) != 64 {
		t.Errorf("hash is %q", own)
	}
	manifest := filepath.Join(ws.Table("qrels"), "manifest.json")
	info, err := os.Stat(filepath.Join(ws.Table("qrels"), "a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"files":[{"name":"a.parquet","size":` + fmt.Sprint(info.Size()) + `,"sha256":"known"}]}`:     "known",
		`{"files":[{"name":"a.parquet","size":` + fmt.Sprint(info.Size()+1) + `,"sha256":"another"}]}`: own,
		`{"files":[{"name":"b.parquet","size":` + fmt.Sprint(info.Size()) + `,"sha256":"another"}]}`:   own,
		`{"fil`: own,
	} {
		if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := hash(); got != want {
			t.Errorf("with %s the hash is %s, want %s", text, got, want)
		}
	}
}

func TestOpenSourceSaysWhatIsWrong(t *testing.T) {
	ws := workspace.Dir(t.TempDir())
	if _, err := openSource(ws, "qrels", schemas.Qrels, "run dssdnet ingest qrels"); err == nil || !strings.Contains(err.Error(), "run dssdnet ingest qrels") {
		t.Errorf("an absent folder: %v", err)
	}
	writeRows(t, schemas.Pools, filepath.Join(ws.Table("qrels"), "p.parquet"), []schemas.Pool{{TopicID: "T", PatentID: "EP-1", Rank: 1}})
	if _, err := openSource(ws, "qrels", schemas.Qrels, "remedy"); err == nil || !strings.Contains(err.Error(), "p.parquet cannot be read: not a qrels file") {
		t.Errorf("a file of another table: %v", err)
	}
	if err := os.WriteFile(filepath.Join(ws.Table("qrels"), "p.parquet"), []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openSource(ws, "qrels", schemas.Qrels, "remedy"); err == nil || !strings.Contains(err.Error(), "p.parquet cannot be read") {
		t.Errorf("a damaged file: %v", err)
	}
}
