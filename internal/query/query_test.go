package query

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func writeRows[R any](t *testing.T, w workspace.Dir, table schemas.Table, path string, rows ...R) {
	t.Helper()
	f, err := durable.Create(filepath.Join(string(w), path))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	out := schemas.NewWriter[R](table, f)
	if _, err := out.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(); err != nil {
		t.Fatal(err)
	}
}

// tables is a workspace with a few rows of every table.
func tables(t *testing.T) workspace.Dir {
	t.Helper()
	w := workspace.Dir(filepath.Join(t.TempDir(), "it's [a] work*space"))
	day := func(n int) *schemas.Date { d := schemas.Date(n); return &d }
	document := func(ucid, title string, offset int64, produced *schemas.Date) schemas.Document {
		return schemas.Document{
			UCID: ucid, PatentID: strings.TrimSuffix(ucid, "-A1"), Country: "EP", TitleEN: title, DateProduced: produced,
			Source: schemas.Source{Topic: "patents.xml", Offset: offset, Timestamp: 1_000_000 * offset},
		}
	}
	writeRows(t, w, schemas.Documents, "documents/a.parquet", document("EP-1-A1", "old", 0, nil), document("EP-2-A1", "only", 1, nil), document("EP-3-A1", "dated", 2, day(1)))
	writeRows(t, w, schemas.Documents, "documents/b.parquet", document("EP-1-A1", "new", 3, nil), document("EP-3-A1", "late without a date", 4, nil))
	writeRows(t, w, schemas.Documents, "documents/.tmp-1-c.parquet", document("EP-9-A1", "unfinished", 9, nil))
	writeRows(t, w, schemas.Patents, "patents/patents.parquet", schemas.Patent{
		PatentID: "EP-1", Country: "EP", Title: "new", PublicationDate: day(0), IPCSubclasses: []string{"A61K", "B01D"},
		Citations: []schemas.Citation{{UCID: "EP-2-A1", PatentID: "EP-2", Category: "X"}},
	})
	writeRows(t, w, schemas.Topics, "topics/s.parquet", schemas.Topic{TopicID: "PAC-1", PatentID: "EP-7", Set: "s", Split: "test"})
	writeRows(t, w, schemas.Qrels, "qrels/s.parquet", schemas.Qrel{TopicID: "PAC-1", PatentID: "EP-1", Grade: 2, Set: "s"})
	writeRows(t, w, schemas.Pools, "pools/bm25/part-0.parquet", schemas.Pool{TopicID: "PAC-1", PatentID: "EP-1", Rank: 1, Score: 2.5, IndexBuild: "b1"})
	writeRows(t, w, schemas.Metrics, "reports/r1/topics.parquet", schemas.Metric{TopicID: "PAC-1", Measure: "Recall", Cutoff: 100, Value: 1, Model: "m", Pool: "bm25"})
	return w
}

func config(w workspace.Dir, format, sql string, out io.Writer) Config {
	c := Default()
	c.Workspace, c.Format, c.SQL, c.Out, c.MemoryLimit, c.Threads = w, format, sql, out, minMemory, 2
	return c
}

func ask(t *testing.T, w workspace.Dir, format, sql string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Run(context.Background(), config(w, format, sql, &out)); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out.String()
}

func TestEveryTableIsAView(t *testing.T) {
	w := tables(t)
	for sql, want := range map[string]string{
		"SELECT ucid, title_en FROM documents ORDER BY ucid":                                 "ucid,title_en\nEP-1-A1,new\nEP-2-A1,only\nEP-3-A1,dated\n",
		"SELECT count(*) AS n FROM documents":                                                "n\n3\n",
		"SELECT count(*) AS n FROM documents_all":                                            "n\n5\n",
		"SELECT title, title_en, abstract_en, publication_date, ipc_subclasses FROM patents": "title,title_en,abstract_en,publication_date,ipc_subclasses\nnew,new,,1970-01-01,\"[A61K, B01D]\"\n",
		"SELECT topic_id, grade, pools.pool, rank, report, measure, value FROM topics JOIN qrels USING (topic_id) JOIN pools USING (topic_id) JOIN metrics USING (topic_id)": "topic_id,grade,pool,rank,report,measure,value\nPAC-1,2,bm25,1,r1,Recall,1.0\n",
		"SELECT source.timestamp FROM documents WHERE ucid = 'EP-2-A1'": "timestamp\n1970-01-01 00:00:01+00\n",
	} {
		if got := ask(t, w, CSV, sql); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", sql, got, want)
		}
	}
}

// TestViewsMatchSchemas holds the list of views against the tables there are.
func TestViewsMatchSchemas(t *testing.T) {
	tables := schemas.Parquet()
	if len(tables) != len(views) {
		t.Fatalf("%d tables, %d views", len(tables), len(views))
	}
	for i, table := range tables {
		if views[i].table.Name != table.Name {
			t.Errorf("view %d is %s, want %s", i, views[i].table.Name, table.Name)
		}
	}
}

func TestFormats(t *testing.T) {
	w := tables(t)
	const sql = "SELECT patent_id, publication_date, family_id, ipc_subclasses, citations FROM patents; -- one"
	for format, want := range map[string]string{
		CSV: "patent_id,publication_date,family_id,ipc_subclasses,citations\n" +
			`EP-1,1970-01-01,,"[A61K, B01D]","[{'ucid': EP-2-A1, 'patent_id': EP-2, 'source': NULL, 'category': X}]"` + "\n",
		JSONL: `{"patent_id":"EP-1","publication_date":"1970-01-01","family_id":null,"ipc_subclasses":["A61K","B01D"],` +
			`"citations":[{"ucid":"EP-2-A1","patent_id":"EP-2","source":null,"category":"X"}]}` + "\n",
		Table: `
patent_id  publication_date  family_id  ipc_subclasses  citations
---------  ----------------  ---------  --------------  ----------------------------------------------------------------
EP-1       1970-01-01        NULL       [A61K, B01D]    [{'ucid': EP-2-A1, 'patent_id': EP-2, 'source': NULL, 'category…
(1 row)
`[1:],
	} {
		if got := ask(t, w, format, sql); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", format, got, want)
		}
	}
	if got := ask(t, w, JSON, "SELECT range AS n FROM range(2)"); got != "[\n\t{\"n\":0},\n\t{\"n\":1}\n]\n" {
		t.Errorf("json: %q", got)
	}
	if got := ask(t, w, JSON, "SELECT 1 AS n WHERE false"); strings.Join(strings.Fields(got), "") != "[]" {
		t.Errorf("json without rows: %q", got)
	}
	path := filepath.Join(t.TempDir(), "out.parquet")
	if err := os.WriteFile(path, []byte(ask(t, w, Parquet, sql)), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, w, CSV, "SELECT patent_id, len(citations) AS n FROM '"+path+"'"); got != "patent_id,n\nEP-1,1\n" {
		t.Errorf("parquet: %q", got)
	}
}

func TestStatements(t *testing.T) {
	w := tables(t)
	for sql, want := range map[string]string{
		"FROM qrels":      "PAC-1",
		"VALUES (1), (2)": "(2 rows)",
		"WITH a AS (SELECT 41 AS x) SELECT x + 1 AS y FROM a": "42",
		"DESCRIBE patents":             "title_en",
		"SUMMARIZE qrels":              "grade",
		"SHOW TABLES":                  "documents_all",
		"EXPLAIN SELECT * FROM qrels":  "PARQUET",
		"SELECT 1 AS a, 2 AS a":        "a_1",
		"SELECT 1 AS a -- and no more": "(1 row)",
	} {
		if got := ask(t, w, Table, sql); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", sql, want, got)
		}
	}
	path := filepath.Join(t.TempDir(), "copy.csv")
	r, err := Run(context.Background(), config(w, Table, "COPY qrels TO '"+path+"'", io.Discard))
	if data, rerr := os.ReadFile(path); err != nil || r.Rows != 1 || rerr != nil || !strings.Contains(string(data), "PAC-1") {
		t.Errorf("COPY: %+v, %v: %q, %v", r, err, data, rerr)
	}
}

func TestRowsInOrder(t *testing.T) {
	w := tables(t)
	var want strings.Builder
	want.WriteString("n\n")
	for i := range 200_000 {
		fmt.Fprintln(&want, 199_999-i)
	}
	if got := ask(t, w, CSV, "SELECT range AS n FROM range(200000) ORDER BY n DESC"); got != want.String() {
		t.Errorf("%d bytes in another order", len(got))
	}
}

func TestTableLimits(t *testing.T) {
	w := tables(t)
	var out bytes.Buffer
	c := config(w, Table, "SELECT range AS n FROM range(1000000) ORDER BY n DESC", &out)
	c.MaxRows = 2
	r, err := Run(context.Background(), c)
	if err != nil || r.Rows != 2 || !r.More {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := "n\n------\n999999\n999998\n(the first 2 rows; --max-rows shows more, --format csv all)\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %q", out.String())
	}
	out.Reset()
	c = config(w, Table, "SELECT * FROM documents", &out)
	if _, err := Run(context.Background(), c); err != nil || !strings.Contains(out.String(), " columns: name those you need") {
		t.Errorf("%v: %s", err, out.String())
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if displayWidth(line) > defaultWidth {
			t.Errorf("%d wide: %s", displayWidth(line), line)
		}
	}
}

func TestMistakes(t *testing.T) {
	w := tables(t)
	for sql, says := range map[string]string{
		"SELEC 1":                                   "Parser Error: syntax error at or near \"SELEC\"\n\nLINE 1: SELEC 1",
		"SELECT nothing FROM patents":               "Binder Error: Referenced column \"nothing\" not found",
		"SELECT * FROM missing":                     "Table with name missing does not exist",
		"SELECT CAST(title AS INT) FROM patents":    "Could not convert string 'new' to INT32",
		"SELECT 1; SELECT 2":                        "more than one statement",
		"-- nothing":                                "empty query",
		"SELECT * FROM patents WHERE patent_id = ?": "parameters",
		"CREATE TABLE x AS SELECT 1":                "only SELECT, EXPLAIN and COPY",
		"INSERT INTO patents SELECT 1":              "patents is not an table",
		"ATTACH '/tmp/never.db'":                    "only SELECT, EXPLAIN and COPY",
		"SET threads = 1":                           "only SELECT, EXPLAIN and COPY",
		"PRAGMA table_info('patents')":              "DESCRIBE",
	} {
		for _, format := range []string{Table, CSV} {
			_, err := Run(context.Background(), config(w, format, sql, io.Discard))
			if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), says) {
				t.Errorf("%s as %s: error %v of kind %d", sql, format, err, fault.KindOf(err))
			}
			if _, line, ok := strings.Cut(fmt.Sprint(err), "LINE 1: "); ok && !strings.HasPrefix(line, sql) {
				t.Errorf("%s as %s: the error shows what the caller never wrote: %v", sql, format, err)
			}
		}
	}
	if _, err := Run(context.Background(), config(w, CSV, "EXPLAIN SELECT 1", io.Discard)); fault.KindOf(err) != fault.Usage {
		t.Errorf("EXPLAIN as csv: %v", err)
	}
	if left, err := os.ReadDir(w.Temp()); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestMissingTables(t *testing.T) {
	w := workspace.Dir(t.TempDir())
	for table, command := range map[string]string{
		"documents": "dssdnet ingest consume", "documents_all": "dssdnet ingest publish", "patents": "dssdnet ingest merge", "Topics": "dssdnet ingest topics",
		"qrels": "dssdnet ingest qrels", "pools": "dssdnet index search", "metrics": "dssdnet eval",
	} {
		_, err := Run(context.Background(), config(w, Table, "SELECT * FROM "+table, io.Discard))
		if fault.KindOf(err) != fault.Rejected || !strings.Contains(err.Error(), "no table "+table) || !strings.Contains(err.Error(), command) {
			t.Errorf("%s: error %v", table, err)
		}
	}
	if got := ask(t, w, CSV, "SELECT 1 AS n"); got != "n\n1\n" {
		t.Errorf("without tables: %q", got)
	}
	gone := workspace.Dir(filepath.Join(t.TempDir(), "nowhere"))
	if _, err := Run(context.Background(), config(gone, Table, "SELECT 1", io.Discard)); fault.KindOf(err) != fault.Usage {
		t.Errorf("without a workspace: %v", err)
	}
	if _, err := os.Stat(string(gone)); !os.IsNotExist(err) {
		t.Error("the query made a workspace")
	}
}

func TestUsage(t *testing.T) {
	for _, change := range []func(*Config){
		func(c *Config) { c.SQL = " " },
		func(c *Config) { c.Format = "xml" },
		func(c *Config) { c.Out = nil },
		func(c *Config) { c.MaxRows = 0 },
		func(c *Config) { c.Width = -1 },
		func(c *Config) { c.MemoryLimit = 1 },
		func(c *Config) { c.Threads = -1 },
	} {
		c := config(workspace.Dir(t.TempDir()), Table, "SELECT 1", io.Discard)
		change(&c)
		if _, err := Run(context.Background(), c); fault.KindOf(err) != fault.Usage {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

func TestOutputFile(t *testing.T) {
	w := tables(t)
	path := filepath.Join(t.TempDir(), "made", "out.csv")
	c := config(w, CSV, "SELECT topic_id FROM qrels", nil)
	c.Output = path
	if r, err := Run(context.Background(), c); err != nil || r.Rows != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	c.SQL = "SELECT CAST(topic_id AS INT) FROM qrels"
	if _, err := Run(context.Background(), c); err == nil {
		t.Error("no error")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "topic_id\nPAC-1\n" {
		t.Errorf("a failed query changed the file: %q, %v", data, err)
	}
}

// TestStreams answers with three times the memory limit.
func TestStreams(t *testing.T) {
	w := tables(t)
	for _, format := range []string{CSV, JSON, JSONL} {
		var n counter
		r, err := Run(context.Background(), config(w, format, "SELECT repeat('x', 1000) AS s FROM range(400000)", &n))
		if err != nil || r.Rows != 400_000 || n < 400_000_000 {
			t.Errorf("%s: %+v, %d bytes, %v", format, r, n, err)
		}
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

var errFull = errors.New("the other side has gone")

type shortWriter int

func (s *shortWriter) Write(p []byte) (int, error) {
	if *s -= shortWriter(len(p)); *s < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestReaderGoesAway(t *testing.T) {
	w := tables(t)
	for _, format := range []string{CSV, JSON, Parquet} {
		limit := shortWriter(100_000)
		_, err := Run(context.Background(), config(w, format, "SELECT md5(range::VARCHAR) FROM range(10000000)", &limit))
		if !errors.Is(err, errFull) {
			t.Errorf("%s: error %v", format, err)
		}
	}
}

func TestTemporaryFoldersOfTheDead(t *testing.T) {
	w := tables(t)
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(w.Temp(), fmt.Sprintf("%s%d.x", tempPrefix, dead.Process.Pid))
	alive := filepath.Join(w.Temp(), fmt.Sprintf("%s%d.x", tempPrefix, os.Getpid()))
	for _, dir := range []string{gone, alive} {
		if err := os.MkdirAll(filepath.Join(dir, "duckdb-1"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ask(t, w, CSV, "SELECT 1")
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("the folder of a dead process is left: %v", err)
	}
	if _, err := os.Stat(alive); err != nil {
		t.Errorf("the folder of a living process is gone: %v", err)
	}
}
