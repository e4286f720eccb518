package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

func TestTree(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, dir, "EP/01/EP-0050001-A1.xml", patent("EP-0050001-A1", "first"))
	write(t, dir, "EP/01/EP-0050001-B1.xml", patent("EP-50001-B1", "second"))
	write(t, dir, "EP/02/EP-0050002-A1.XML", patent("EP-0050002-A1", "upper case"))
	write(t, dir, "us.sgml", "\n"+patent("US-D0668832-S1", "no xml in the name"))
	write(t, dir, "other.xml", `<ep-patent-document id="EP1"/>`)
	write(t, dir, "EP/.DS_Store", "\x00\x00")
	write(t, dir, "EP/01/._EP-0050001-A1.xml", "\x00\x05\x16\x07")
	write(t, dir, ".git/config.xml", "<config/>")
	write(t, dir, "dtds/patent-document.dtd", "<!ELEMENT a (b)>")
	write(t, dir, "EP/01/UN-EP-0050001.xml", patent("EP-0050001-A1", "merged"))
	write(t, dir, "EP/01/EP-0050001_abs.txt", "An abstract.")
	write(t, dir, "EP/toc.xml", "<toc/>")
	write(t, dir, "EP/01/00010001.TIF", "II*")
	write(t, dir, "readme.txt", "hello")
	write(t, dir, "blank.xml", " \n")
	write(t, dir, "prose.xml", "no markup here")
	linked := write(t, outside, "EP-0050003-A1.xml", patent("EP-0050003-A1", "behind a link"))
	for _, l := range [][2]string{{linked, "linked.xml"}, {dir, "loop"}, {outside, "EP/outside"}, {"nowhere", "EP/dangling.xml"}} {
		if err := os.Symlink(l[0], filepath.Join(dir, l[1])); err != nil {
			t.Fatal(err)
		}
	}

	c := start(t, dir)
	got, records := publishes(t, c)
	want := Result{Topic: schemas.TopicXML, Partitions: 4, Files: 9, Documents: 7, WithoutID: 2, DeadLetters: 1, Bytes: got.Bytes, Seconds: got.Seconds,
		Junk: map[string]int64{junkHidden: 3, junkSchema: 1, junkMerged: 1, junkAbstract: 1, junkImage: 1, junkOther: 1, junkEmpty: 1, junkWithoutRoot: 1, junkLinkedTree: 2}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"EP/01/EP-0050001-A1.xml", "EP/01/EP-0050001-B1.xml", "EP/02/EP-0050002-A1.XML", "EP/toc.xml", "linked.xml", "other.xml", "us.sgml"}, within(dir, paths(records))); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
	keys := map[string]string{}
	for _, m := range flat(records) {
		checkRecord(t, m)
		keys[strings.TrimPrefix(header(m, schemas.HeaderPath), dir+"/")] = string(m.Key)
	}
	if keys["EP/01/EP-0050001-B1.xml"] != "EP-0050001" || keys["us.sgml"] != "US-D668832" || keys["other.xml"] != filepath.Join(dir, "other.xml") {
		t.Errorf("keys %v", keys)
	}
	if diff := cmp.Diff([]string{"EP/dangling.xml unreadable"}, within(dir, lettersOf(t, c))); diff != "" {
		t.Errorf("dead letters (-want +got):\n%s", diff)
	}
}

// TestOrder has many readers and partitions disturb the order, which must be that of the walk within each patent.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	const patents, kinds = 40, 9
	for k := range kinds {
		for p := range patents {
			size := (p*7919 + k*104729) % 20000 // files of all lengths, so that readers overtake each other
			write(t, dir, fmt.Sprintf("%d/%d.xml", k, p), patent(fmt.Sprintf("EP-%07d-A%d", p, k), strings.Repeat("x", size)))
		}
	}
	c := start(t, dir)
	c.Readers, c.Partitions = 8, 7
	r, records := publishes(t, c)
	if r.Documents != patents*kinds {
		t.Fatalf("%d documents", r.Documents)
	}
	seen, partition := map[string][]string{}, map[string]int{}
	for p, messages := range records {
		for _, m := range messages {
			key := string(m.Key)
			if other, ok := partition[key]; ok && other != p {
				t.Errorf("%s lies on partitions %d and %d", key, other, p)
			}
			partition[key] = p
			seen[key] = append(seen[key], header(m, schemas.HeaderPath))
		}
	}
	for key, order := range seen {
		if !slices.IsSorted(order) || len(order) != kinds {
			t.Errorf("%s: %v", key, order)
		}
	}
}

func TestConcatenated(t *testing.T) {
	dir := t.TempDir()
	documents := []string{patent("EP-0000001-A1", "one"), patent("EP-0000002-A1", "two"), `<sequence-cwu/>`, patent("EP-0000003-A1", "three")}
	whole := strings.Join(documents, "\n")
	path := write(t, dir, "weekly.xml", whole)
	r, records := publishes(t, start(t, path))
	if r.Documents != 4 || r.Files != 1 || r.Bytes != int64(len(strings.Join(documents, ""))) {
		t.Errorf("result %+v", r)
	}
	for _, m := range flat(records) {
		checkRecord(t, m)
		var start, end int
		if _, err := fmt.Sscanf(header(m, schemas.HeaderRange), "%d-%d", &start, &end); err != nil {
			t.Fatal(err)
		}
		if whole[start:end] != string(m.Value) {
			t.Errorf("bytes %d-%d of the file are not the value %q", start, end, m.Value)
		}
	}
}

func TestLongDocumentIsCut(t *testing.T) {
	dir := t.TempDir()
	long := patent("EP-0000001-A1", strings.Repeat("long ", 10_000))
	path := write(t, dir, "long.xml", long+patent("EP-0000002-A1", "short"))
	c := start(t, path)
	c.MaxDocumentBytes = 4 << 10
	r, records := publishes(t, c)
	if r.Documents != 2 || r.Cut != 1 {
		t.Errorf("result %+v", r)
	}
	for _, m := range flat(records) {
		checkRecord(t, m)
		if cut := header(m, schemas.HeaderCutFrom); string(m.Key) == "EP-0000001" && cut != fmt.Sprint(len(long)) {
			t.Errorf("cut from %q, want %d", cut, len(long))
		}
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "notes.txt", "hello")
	write(t, dir, "sub/blank.xml", "")
	for want, paths := range map[string][]string{
		"no document in":            {dir},
		"1 other-type":              {dir},
		"no such file or directory": {write(t, t.TempDir(), "good.xml", patent("EP-1-A1", "x")), filepath.Join(dir, "missing")},
	} {
		c := start(t, paths...)
		_, err := Run(t.Context(), c)
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Rejected {
			t.Errorf("error %v, want a rejection with %q", err, want)
		}
		if _, err := cluster.Spans(t.Context(), c.Cluster, c.Topic); err == nil {
			t.Errorf("a rejected run has made the topic")
		}
	}
}

func TestUnreachable(t *testing.T) {
	c := start(t, write(t, t.TempDir(), "good.xml", patent("EP-1-A1", "x")))
	c.Cluster = cluster.Config{Brokers: []string{"127.0.0.1:1"}}
	_, err := Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "connection refused; check the port in --brokers") {
		t.Errorf("error %v", err)
	}
}

func TestMaxDeadShare(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "good.xml", patent("EP-1-A1", "x"))
	write(t, dir, "bad.xml.gz", "\x1f\x8b\x08")
	c := start(t, dir)
	c.MaxDeadShare = 0.5
	if _, err := Run(t.Context(), c); err != nil {
		t.Errorf("half of two is not more than 0.5: %v", err)
	}
	c.MaxDeadShare = 0.4
	r, err := Run(t.Context(), c)
	if fault.KindOf(err) != fault.DeadLetters || r.Documents != 1 || r.DeadLetters != 1 {
		t.Errorf("result %+v, error %v", r, err)
	}
}

func TestValidate(t *testing.T) {
	good := Default()
	good.Paths, good.Workspace, good.Cluster = []string{"x"}, "work", cluster.Config{Brokers: []string{"localhost:9092"}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Config){
		"nothing to publish":   func(c *Config) { c.Paths = nil },
		"no workspace":         func(c *Config) { c.Workspace = "" },
		"--topic":              func(c *Config) { c.Topic = "" },
		"--partitions":         func(c *Config) { c.Partitions = 0 },
		"--compression":        func(c *Config) { c.Compression = "rar" },
		"--readers":            func(c *Config) { c.Readers = -1 },
		"--max-document-bytes": func(c *Config) { c.MaxDocumentBytes = 16 << 20 },
		"--max-member-bytes":   func(c *Config) { c.MaxMemberBytes = 0 },
		"--max-archive-ratio":  func(c *Config) { c.MaxArchiveRatio = 0.5 },
		"--max-dead-share":     func(c *Config) { c.MaxDeadShare = 2 },
		"no Kafka broker":      func(c *Config) { c.Cluster = cluster.Config{} },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Usage {
			t.Errorf("error %v, want a usage error with %q", err, want)
		}
	}
}
