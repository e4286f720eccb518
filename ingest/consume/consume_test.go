package consume

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// ignoreSpeed leaves out of a Result what differs from run to run.
var ignoreSpeed = cmpopts.IgnoreFields(Result{}, "Seconds", "MBPerSecond", "ParquetBytes", "XMLBytes", "Partitions")

func TestEveryRecordBecomesARow(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	documents(t, at, 1, 200, "some words")
	got := consumed(t, c)
	if diff := cmp.Diff(Result{Records: 200, Documents: 200, Files: 4}, got, ignoreSpeed); diff != "" {
		t.Error(diff)
	}
	checkOnce(t, c, 200)
	var records, size int64
	for _, p := range got.Partitions {
		records += p.Last - p.First + 1
	}
	for n := 1; n <= 200; n++ {
		size += int64(len(document(n, "", "some words")))
	}
	if records != 200 || got.XMLBytes != size || got.ParquetBytes == 0 || got.MBPerSecond <= 0 {
		t.Errorf("result %+v", got)
	}
	for _, row := range rows(t, c) {
		n, err := strconv.Atoi(row.DocNumber)
		if err != nil {
			t.Fatal(err)
		}
		want := record(n, document(n, "", "some words"))
		if row.DescriptionEN != "some words" || row.Source.Topic != "patents.xml" || row.Source.Timestamp == 0 ||
			row.Source.Path != header(want.Headers, schemas.HeaderPath) || row.Source.SHA256 != header(want.Headers, schemas.HeaderSHA256) ||
			row.Source.ByteStart != 0 || row.Source.ByteEnd != int64(len(want.Value)) {
			t.Errorf("row %+v", row)
		}
	}
	again := consumed(t, c)
	if diff := cmp.Diff(Result{}, again, ignoreSpeed); diff != "" {
		t.Errorf("a second run: %s", diff)
	}
}

func TestFooterSaysWhatTheFileCovers(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	publish(t, at, record(1, document(1, "", "a")), record(2, "no xml"), record(1, document(1, "", "a")))
	c.MaxDeadShare = 1
	consumed(t, c)
	path := files(t, c)[0]
	for key, want := range map[string]string{
		"kafka.first_offset": "0", "kafka.last_offset": "2", "kafka.cluster_id": "c1", "kafka.records": "3",
		"kafka.dead_letters": "1", "kafka.unchanged": "1", "kafka.missing": "0", "dssdnet.schema": "documents/1",
	} {
		if got := metadata(t, path, key); got != want {
			t.Errorf("%s = %q, want %q", key, got, want)
		}
	}
	if !strings.HasSuffix(path, "/documents/patents.xml-00000-00000000000000000000.parquet") {
		t.Errorf("path %s", path)
	}
}

func TestFilesAreCut(t *testing.T) {
	_, at := broker(t, 1)
	documents(t, at, 1, 20, "x")
	for name, tc := range map[string]struct {
		change func(*Config)
		want   int
	}{
		"records": {func(c *Config) { c.FileRecords = 6 }, 4},
		"bytes":   {func(c *Config) { c.FileBytes = 1 }, 20},
	} {
		c := config(t, at)
		tc.change(&c)
		consumed(t, c)
		checkOnce(t, c, 20)
		if got := len(files(t, c)); got != tc.want {
			t.Errorf("%s: %d files, want %d", name, got, tc.want)
		}
	}
}

func TestPublishedAgain(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	step := func(name, day, text string, documents, unchanged int64) {
		t.Helper()
		publish(t, at, record(1, document(1, day, text)))
		got := consumed(t, c)
		if got.Documents != documents || got.Unchanged != unchanged {
			t.Errorf("%s: %d documents, %d unchanged, want %d, %d", name, got.Documents, got.Unchanged, documents, unchanged)
		}
	}
	step("new", "", "A", 1, 0)
	step("unchanged", "", "A", 0, 1)
	step("changed", "", "B", 1, 0)
	step("changed and unchanged", "", "B", 0, 1)
	step("changed back", "", "A", 1, 0)
	step("a dated one is newer than those without", "20100101", "D", 1, 0)
	step("a later one", "20110101", "E", 1, 0)
	step("an older one does not become the newest", "20100101", "D", 1, 0)
	step("so the later one is unchanged", "20110101", "E", 0, 1)
}

// The same within one file, where nothing is published yet.
func TestPublishedAgainWithinAFile(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	var records []kafka.Message
	for _, text := range []string{"A", "A", "B", "A", "A"} {
		records = append(records, record(1, document(1, "", text)))
	}
	publish(t, at, records...)
	if got := consumed(t, c); got.Documents != 3 || got.Unchanged != 2 || got.Files != 1 {
		t.Errorf("%+v", got)
	}
}

// The files of other topics count, whatever their number of partitions.
func TestUnchangedAcrossTopics(t *testing.T) {
	_, at := broker(t, 4)
	c := config(t, at)
	documents(t, at, 1, 50, "x")
	consumed(t, c)
	_, other := broker(t, 0)
	c.Cluster, c.Topic = other, "patents.new"
	var records []kafka.Message
	for n := 41; n <= 60; n++ {
		records = append(records, record(n, document(n, "", "x")))
	}
	if err := ensure(t, other, "patents.new", 2); err != nil {
		t.Fatal(err)
	}
	publishTo(t, other, "patents.new", records...)
	if got := consumed(t, c); got.Documents != 10 || got.Unchanged != 10 {
		t.Errorf("%+v", got)
	}
}

func TestDeadLetters(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	bad := record(7, "<PATDOC><p>text</p></PATDOC>")
	cut := record(8, document(8, "", "x")[:300])
	publish(t, at, record(1, document(1, "", "x")), bad, cut, record(9, ""))
	got, err := newRun(c, hurried, patentParser(c)).start(t.Context())
	if fault.KindOf(err) != fault.DeadLetters || !strings.Contains(err.Error(), "3 of 4 documents (75.0 %)") {
		t.Errorf("error %v", err)
	}
	if got.Records != 4 || got.Documents != 1 || got.DeadLetters != 3 || got.Reasons["unsupported-root"] != 1 {
		t.Errorf("%+v", got)
	}
	list := deadletter.Default()
	list.Cluster = at
	listing, err := deadletter.List(t.Context(), list)
	if err != nil || len(listing.Entries) != 3 {
		t.Fatalf("%+v, %v", listing, err)
	}
	for _, e := range listing.Entries {
		if e.Class != "unsupported-root" {
			continue
		}
		if e.Path != "tree/7.xml" || !strings.Contains(e.Message, "PATDOC") || !strings.Contains(e.Excerpt, "<PATDOC>") ||
			e.Stage != "parse" || !e.Replayable || e.Topic != schemas.TopicXML {
			t.Errorf("%+v", e)
		}
	}
	c.MaxDeadShare = 0.8
	if got := consumed(t, c); got.Records != 0 {
		t.Errorf("a second run: %+v", got)
	}
}

func TestReplayDoublesNothing(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	c.MaxDeadShare = 1
	publish(t, at, record(1, document(1, "", "x")), record(2, document(2, "", "x")))
	broken := func() parser { return brokenParser{patentParser(c)(), "EP-0000002"} }
	if got, err := newRun(c, hurried, broken).start(t.Context()); err != nil || got.DeadLetters != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	replay := deadletter.Default()
	replay.Cluster = at
	for range 2 {
		if got, err := deadletter.Replay(t.Context(), replay); err != nil || got.Replayed != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if got := consumed(t, c); got.Documents != 1 || got.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	checkOnce(t, c, 2)
}

// brokenParser panics on documents that contain a text.
type brokenParser struct {
	parser
	on string
}

func (p brokenParser) Parse(raw []byte, cutFrom int64) (*schemas.Document, error) {
	if strings.Contains(string(raw), p.on) {
		panic("index out of range")
	}
	return p.parser.Parse(raw, cutFrom)
}

func TestPanicIsADeadLetter(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	documents(t, at, 1, 40, "x")
	broken := func() parser { return brokenParser{patentParser(c)(), "EP-0000017"} }
	got, err := newRun(c, hurried, broken).start(t.Context())
	if err != nil || got.Documents != 39 || got.Reasons[reasonPanic] != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	list := deadletter.Default()
	list.Cluster = at
	listing, err := deadletter.List(t.Context(), list)
	if err != nil || len(listing.Entries) != 1 {
		t.Fatalf("%+v, %v", listing, err)
	}
	e := listing.Entries[0]
	if e.Path != "tree/17.xml" || !strings.Contains(e.Message, "index out of range") || !strings.HasPrefix(e.Excerpt, "<?xml") {
		t.Errorf("%+v", e)
	}
}

func TestRecordsOfOtherProducers(t *testing.T) {
	_, at := broker(t, 1)
	c := config(t, at)
	plain := kafka.Message{Value: []byte(document(1, "", "x"))}
	odd := kafka.Message{Value: []byte(document(2, "", "x")), Headers: []kafka.Header{
		{Key: schemas.HeaderSHA256, Value: []byte("zz")}, {Key: schemas.HeaderRange, Value: []byte("-")}, {Key: schemas.HeaderCutFrom, Value: []byte("?")}}}
	publish(t, at, plain, odd, plain)
	if got := consumed(t, c); got.Documents != 2 || got.Unchanged != 1 {
		t.Errorf("%+v", got)
	}
	for i, r := range rows(t, c) {
		if len(r.Source.SHA256) != 64 || r.Source.Path != "" || r.Source.ByteStart != 0 || r.Source.ByteEnd != int64(len(plain.Value)) || r.Truncated {
			t.Errorf("row %d: %+v", i, r.Source)
		}
	}
}

func TestLargeAndCutDocuments(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	c.InFlightBytes = 1 << 20 // less than one of them
	words := strings.Repeat("several words of text ", 9<<20/22)
	whole := record(1, document(1, "", words))
	cut := record(2, document(2, "", words)[:7<<20])
	cut.Headers = append(cut.Headers, kafka.Header{Key: schemas.HeaderCutFrom, Value: fmt.Append(nil, len(document(2, "", words)))})
	publish(t, at, whole)
	publish(t, at, cut, record(3, document(3, "", "x")))
	if got := consumed(t, c); got.Documents != 3 {
		t.Errorf("%+v", got)
	}
	for _, r := range rows(t, c) {
		if long := r.UCID != ucid(3); r.Truncated != long || long != (r.TextBytes > 3<<20) {
			t.Errorf("%s: truncated %v, %d bytes of text", r.UCID, r.Truncated, r.TextBytes)
		}
	}
}

func TestInterruptedRunPublishesWhatIsOpen(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	c.UntilEnd = false
	documents(t, at, 1, 100, "x")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := newRun(c, hurried, patentParser(c))
	seen := &counter{}
	run.config.Progress = seen
	ended := make(chan error)
	go func() {
		_, err := run.start(ctx)
		ended <- err
	}()
	eventually(t, "100 records", func() bool { return seen.added.Load() == 100 })
	if got := files(t, c); len(got) != 0 {
		t.Errorf("published before: %v", got)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("error %v, want none: the run has no other end", err)
	}
	checkOnce(t, c, 100)
}

func TestInterruptedBatchSaysSo(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	ctx, cancel := context.WithCancel(t.Context())
	documents(t, at, 1, 10, "x")
	stuck := func() parser { return parserFunc(func() { cancel() }) }
	if _, err := newRun(c, hurried, stuck).start(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	consumed(t, c)
	checkOnce(t, c, 10)
}

// parserFunc calls itself and then parses.
type parserFunc func()

func (f parserFunc) Parse(raw []byte, cutFrom int64) (*schemas.Document, error) {
	f()
	return patentParser(Default())().Parse(raw, cutFrom)
}

func TestFileAgePublishesIdlePartitions(t *testing.T) {
	_, at := broker(t, 2)
	c := config(t, at)
	c.UntilEnd, c.FileAge = false, 50*time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := newRun(c, hurried, patentParser(c)).start(ctx)
		ended <- err
	}()
	for n := 1; n <= 3; n++ {
		documents(t, at, n, n, "x")
		eventually(t, "a file", func() bool { return len(rows(t, c)) == n })
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	checkOnce(t, c, 3)
}

func TestRunWithoutEndWaitsForTheTopic(t *testing.T) {
	_, at := broker(t, 0)
	c := config(t, at)
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "has no topic patents.xml") {
		t.Errorf("a bounded run: error %v", err)
	}
	c.UntilEnd, c.FileAge = false, 50*time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := newRun(c, hurried, patentParser(c)).start(ctx)
		ended <- err
	}()
	if err := ensure(t, at, schemas.TopicXML, 1); err != nil {
		t.Fatal(err)
	}
	documents(t, at, 1, 1, "x")
	eventually(t, "a row", func() bool { return len(rows(t, c)) == 1 })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	good.Workspace, good.Cluster.Brokers = "w", []string{"localhost:9092"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Config){
		"workspace":            func(c *Config) { c.Workspace = "" },
		"--topic":              func(c *Config) { c.Topic = "" },
		"--group":              func(c *Config) { c.Group = "" },
		"--parse-workers":      func(c *Config) { c.ParseWorkers = -1 },
		"--max-field-bytes":    func(c *Config) { c.MaxFieldBytes = 0 },
		"--max-dead-share":     func(c *Config) { c.MaxDeadShare = 1.5 },
		"--file-age":           func(c *Config) { c.FileAge = 0 },
		"--row-group-bytes":    func(c *Config) { c.RowGroupBytes = 5 },
		"--session-timeout":    func(c *Config) { c.SessionTimeout = 1 },
		"no Kafka broker":      func(c *Config) { c.Cluster.Brokers = nil },
		"--max-document-bytes": func(c *Config) { c.MaxDocumentBytes = 0 },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v, want a usage error with %q", err, want)
		}
	}
}
