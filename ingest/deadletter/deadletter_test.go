package deadletter

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"go.uber.org/goleak"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// broker runs a cluster without topics.
func broker(t *testing.T) cluster.Config {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return cluster.Config{Brokers: c.ListenAddrs()}
}

func write(t *testing.T, c cluster.Config, letters ...Letter) {
	t.Helper()
	w, err := NewWriter(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), letters...); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// records reads a whole topic.
func records(t *testing.T, c cluster.Config, topic string) []kafka.Message {
	t.Helper()
	spans, err := cluster.Spans(t.Context(), c, topic)
	if err != nil {
		t.Fatal(err)
	}
	var all []kafka.Message
	for p, span := range spans {
		r := kafka.NewReader(kafka.ReaderConfig{Brokers: c.Brokers, Topic: topic, Partition: p, MaxBytes: 16 << 20, MaxWait: 100 * time.Millisecond, ReadLagInterval: -1})
		for o := span.First; o < span.End; o++ {
			m, err := r.FetchMessage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		r.Close()
	}
	return all
}

func listed(t *testing.T, c cluster.Config, change func(*Config)) Listing {
	t.Helper()
	config := Default()
	config.Cluster = c
	if change != nil {
		change(&config)
	}
	l, err := List(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// failed is a record of patents.xml that could not be parsed.
func failed(offset int64, value string) Letter {
	return Letter{
		Stage: StageParse, Class: "unsupported-root", Message: "unsupported root PATDOC", Excerpt: "<PATDOC",
		Topic: schemas.TopicXML, Partition: 2, Offset: offset, Time: time.UnixMilli(1_700_000_000_000 + offset).UTC(),
		Key: []byte("EP-1000000"), Value: []byte(value), Path: "a.tar.gz!EP/1.xml", Range: "0-9",
		Headers: []kafka.Header{{Key: schemas.HeaderPath, Value: []byte("a.tar.gz!EP/1.xml")}, {Key: "foreign", Value: []byte("kept")}},
	}
}

func unreadable(path string) Letter {
	return Letter{Stage: StagePublish, Class: "truncated", Message: "unexpected end of archive", Path: path, Topic: schemas.TopicXML}
}

func TestLetterComesBackAsWritten(t *testing.T) {
	l := failed(7, "<PATDOC/>")
	got, full := read(l.record(1 << 20))
	if len(got.SHA256) != 64 {
		t.Errorf("sha256 %q", got.SHA256)
	}
	l.SHA256 = got.SHA256
	l.Headers = append(l.Headers,
		kafka.Header{Key: schemas.HeaderRange, Value: []byte("0-9")},
		kafka.Header{Key: schemas.HeaderSHA256, Value: []byte(got.SHA256)})
	if diff := cmp.Diff(l, got); diff != "" {
		t.Error(diff)
	}
	if full != int64(len(l.Value)) || !replayable(got, full) {
		t.Errorf("full length %d, replayable %v", full, replayable(got, full))
	}
}

func TestHeadersAreKafkaConnects(t *testing.T) {
	m := failed(7, "x").record(1 << 20)
	for key, want := range map[string]string{
		"__connect.errors.topic": "patents.xml", "__connect.errors.partition": "2", "__connect.errors.offset": "7",
		"__connect.errors.stage": "parse", "__connect.errors.exception.class.name": "unsupported-root",
		"__connect.errors.exception.message": "unsupported root PATDOC",
		"__connect.errors.connector.name":    "dssdnet", "__connect.errors.task.id": "0",
		"foreign": "kept", "dssdnet.path": "a.tar.gz!EP/1.xml",
	} {
		if got := header(m.Headers, key); got != want {
			t.Errorf("header %s = %q, want %q", key, got, want)
		}
	}
}

func TestHeadersAreShortUTF8(t *testing.T) {
	l := failed(1, "x")
	l.Excerpt = strings.Repeat("é", maxExcerpt) + "\xff"
	got, _ := read(l.record(10))
	if got.Excerpt != strings.Repeat("é", maxExcerpt/2) {
		t.Errorf("excerpt of %d bytes: %q", len(got.Excerpt), got.Excerpt)
	}
	l.Excerpt = "ab\xffc"
	if got, _ := read(l.record(10)); got.Excerpt != "abc" {
		t.Errorf("excerpt %q", got.Excerpt)
	}
}

func TestLongValueIsCutAndSaysSo(t *testing.T) {
	c := broker(t)
	write(t, c, failed(1, strings.Repeat("x", 15<<20)), failed(2, "short"))
	got := records(t, c, schemas.TopicDeadLetter)
	if len(got) != 2 {
		t.Fatalf("%d letters, want 2", len(got))
	}
	l, full := read(got[0])
	if full != 15<<20 || len(l.Value) != valueLimits[0] || replayable(l, full) {
		t.Errorf("value of %d bytes of %d, replayable %v", len(l.Value), full, replayable(l, full))
	}
}

func TestTopicWithASmallLimit(t *testing.T) {
	c := broker(t)
	if err := cluster.EnsureTopic(t.Context(), c, schemas.TopicDeadLetter, 1, map[string]string{"max.message.bytes": "100000"}); err != nil {
		t.Fatal(err)
	}
	write(t, c, failed(1, "first"), failed(2, strings.Repeat("x", 2<<20)), failed(3, "last"))
	got := records(t, c, schemas.TopicDeadLetter)
	if len(got) != 3 {
		t.Fatalf("%d letters, want 3", len(got))
	}
	if l, full := read(got[1]); full != 2<<20 || len(l.Value) != 32<<10 {
		t.Errorf("value of %d bytes of %d", len(l.Value), full)
	}
}

func TestListShowsEachTroubleOnce(t *testing.T) {
	c := broker(t)
	write(t, c,
		failed(1, "one"), failed(1, "one"), // a consumer killed before it published the range
		failed(2, "two"),
		failed(9, "one"), // the tree was published again
		unreadable("b.tar.gz"), unreadable("b.tar.gz"))
	got := listed(t, c, nil)
	type row struct {
		class  string
		offset int64
		times  int64
		replay bool
	}
	var rows []row
	for _, e := range got.Entries {
		rows = append(rows, row{e.Class, e.Offset, e.Times, e.Replayable})
	}
	want := []row{{"unsupported-root", 2, 1, true}, {"unsupported-root", 9, 2, true}, {"truncated", -1, 2, false}}
	if diff := cmp.Diff(want, rows, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"unsupported-root": 2, "truncated": 1}, got.Classes); diff != "" {
		t.Error(diff)
	}
	if got.Letters != 6 || got.Troubles != 3 || got.Forgot {
		t.Errorf("%d letters, %d troubles, forgot %v", got.Letters, got.Troubles, got.Forgot)
	}
	first := got.Entries[0]
	if first.Path != "a.tar.gz!EP/1.xml" || first.Range != "0-9" || first.Excerpt != "<PATDOC" ||
		first.Message != "unsupported root PATDOC" || first.Stage != StageParse || !first.Time.Equal(time.UnixMilli(1_700_000_000_002)) {
		t.Errorf("entry %+v", first)
	}
}

func TestListFilters(t *testing.T) {
	c := broker(t)
	write(t, c, failed(1, "one"), unreadable("x/b.tar.gz"), unreadable("y/b.zip"))
	for name, tc := range map[string]struct {
		change func(*Config)
		want   int64
	}{
		"class":     {func(c *Config) { c.Class = "truncated" }, 2},
		"stage":     {func(c *Config) { c.Stage = StageParse }, 1},
		"path":      {func(c *Config) { c.Path = "*.tar.gz" }, 1},
		"path deep": {func(c *Config) { c.Path = "*EP*" }, 1},
		"both":      {func(c *Config) { c.Class, c.Path = "truncated", "y/*" }, 1},
		"none":      {func(c *Config) { c.Path = "b" }, 0},
	} {
		if got := listed(t, c, tc.change); got.Letters != tc.want || int64(len(got.Entries)) != tc.want {
			t.Errorf("%s: %d letters, %d entries, want %d", name, got.Letters, len(got.Entries), tc.want)
		}
	}
}

func TestListWithoutTopic(t *testing.T) {
	if got := listed(t, broker(t), nil); len(got.Entries) != 0 || got.Entries == nil {
		t.Errorf("%+v", got)
	}
}

func TestLimitKeepsTheLastAndTheirCounts(t *testing.T) {
	b := newBoard(2, 1000)
	for i, value := range []string{"a", "b", "c", "a"} {
		l := failed(int64(i), value)
		l.SHA256 = value
		b.add(l, true)
	}
	var got []string
	for _, e := range b.entries() {
		got = append(got, fmt.Sprint(e.SHA256, e.Times))
	}
	if diff := cmp.Diff([]string{"c1", "a2"}, got); diff != "" {
		t.Error(diff)
	}
	if b.troubles != 3 {
		t.Errorf("%d troubles", b.troubles)
	}
}

func TestMemoryOfKeysIsBounded(t *testing.T) {
	const limit, keys = 10, 100
	b := newBoard(limit, keys)
	for i := range int64(10_000) {
		l := failed(i, "x")
		l.SHA256 = fmt.Sprint(i)
		b.add(l, true)
	}
	if len(b.counts) > keys+limit || len(b.records.keys) > keys || !b.forgot || !b.records.forgot {
		t.Errorf("%d counts, %d records", len(b.counts), len(b.records.keys))
	}
	if got := b.entries(); len(got) != limit || got[limit-1].Offset != 9_999 {
		t.Errorf("%d entries", len(got))
	}
}

func TestReplaySendsTheRecordAsItWas(t *testing.T) {
	c := broker(t)
	if err := cluster.EnsureTopic(t.Context(), c, schemas.TopicXML, 4, map[string]string{"max.message.bytes": "16777216"}); err != nil {
		t.Fatal(err)
	}
	big := failed(3, string(bytes.Repeat([]byte("big "), 2<<20)))
	write(t, c, failed(1, "one"), failed(1, "one"), unreadable("b.tar.gz"), failed(2, "\xff\x00two"), big, failed(4, strings.Repeat("x", 15<<20)))
	config := Default()
	config.Cluster = c
	for range 2 {
		got, err := Replay(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		want := Replayed{Letters: 6, Replayed: 3, Bytes: 3 + 5 + 8<<20, Repeated: 1, NotReplayable: 2, Paths: []string{"b.tar.gz", "a.tar.gz!EP/1.xml"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	sent := records(t, c, schemas.TopicXML)
	if len(sent) != 6 {
		t.Fatalf("%d records, want 3 for each replay", len(sent))
	}
	m := sent[1]
	if string(m.Value) != "\xff\x00two" || string(m.Key) != "EP-1000000" || !m.Time.Equal(time.UnixMilli(1_700_000_000_002)) ||
		header(m.Headers, "foreign") != "kept" || header(m.Headers, schemas.HeaderReplay) != "0:3" || header(m.Headers, schemas.HeaderErrorClass) != "" {
		t.Errorf("record %+v", m)
	}
}

func TestReplayFilter(t *testing.T) {
	c := broker(t)
	if err := cluster.EnsureTopic(t.Context(), c, schemas.TopicXML, 1, nil); err != nil {
		t.Fatal(err)
	}
	other := failed(2, "two")
	other.Class = "no-ucid"
	write(t, c, failed(1, "one"), other)
	config := Default()
	config.Cluster, config.Class = c, "no-ucid"
	if got, err := Replay(t.Context(), config); err != nil || got.Replayed != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if sent := records(t, c, schemas.TopicXML); len(sent) != 1 || string(sent[0].Value) != "two" {
		t.Errorf("%+v", sent)
	}
}

func TestCancelledScanEnds(t *testing.T) {
	c := broker(t)
	write(t, c, failed(1, "one"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	config := Default()
	config.Cluster = c
	if _, err := List(ctx, config); err == nil {
		t.Error("no error")
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	good.Cluster.Brokers = []string{"localhost:9092"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*Config){
		"--stage":         func(c *Config) { c.Stage = "merge" },
		"--limit":         func(c *Config) { c.Limit = 0 },
		"--dedupe-keys":   func(c *Config) { c.DedupeKeys = 1 },
		"no Kafka broker": func(c *Config) { c.Cluster.Brokers = nil },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v, want a usage error with %q", err, want)
		}
	}
}
