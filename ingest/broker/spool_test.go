package broker

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
)

// produce sends one record to a partition without retries.
func produce(t *testing.T, c cluster.Config, partition, size int) error {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	reply, err := client.Produce(t.Context(), &kafka.ProduceRequest{Topic: topic, Partition: partition, RequiredAcks: kafka.RequireAll,
		Records: kafka.NewRecordReader(kafka.Record{Value: kafka.NewBytes(bytes.Repeat([]byte{'x'}, size))})})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Error
}

func commit(t *testing.T, c cluster.Config, group string, partition int, offset int64) {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	reply, err := client.OffsetCommit(t.Context(), &kafka.OffsetCommitRequest{GroupID: group, GenerationID: -1,
		Topics: map[string][]kafka.OffsetCommit{topic: {{Partition: partition, Offset: offset}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := reply.Topics[topic][0].Error; err != nil {
		t.Fatal(err)
	}
}

// fill produces records of 1 MB until the broker refuses, and returns how many it took.
func fill(t *testing.T, c cluster.Config, partition int) (n int64) {
	t.Helper()
	for ; n < 100; n++ {
		err := produce(t, c, partition, 1_000_000)
		if errors.Is(err, kafka.ThrottlingQuotaExceeded) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the broker refuses nothing")
	return 0
}

// awaitFirst waits until partition 0 begins at an offset.
func awaitFirst(t *testing.T, c cluster.Config, first int64) {
	t.Helper()
	for {
		spans, err := cluster.Spans(t.Context(), c, topic)
		if err != nil {
			t.Fatal(err)
		}
		if spans[0].First == first {
			return
		}
		if err := pause(t.Context(), sweepEvery); err != nil {
			t.Fatalf("the partition begins at %d, want %d", spans[0].First, first)
		}
	}
}

func TestSpoolIsBounded(t *testing.T) {
	c := testConfig(t.TempDir())
	c.SpoolBytes = 5 << 20
	b := open(t, c)
	defer shut(t, b)
	ensureTopic(t, b.Cluster(), 2)

	if n := fill(t, b.Cluster(), 0); n != 5 {
		t.Errorf("%d records of 1 MB went into 5MiB", n)
	}
	if err := produce(t, b.Cluster(), 1, 1_000_000); !errors.Is(err, kafka.ThrottlingQuotaExceeded) {
		t.Errorf("the other partition answers %v", err)
	}
	commit(t, b.Cluster(), "consumers", 0, 3)
	awaitFirst(t, b.Cluster(), 3)
	if n := fill(t, b.Cluster(), 1); n != 3 {
		t.Errorf("%d records went in after 3 were consumed", n)
	}
	// A second group holds back what it has not read, and the first one where it has never been.
	commit(t, b.Cluster(), "others", 0, 4)
	commit(t, b.Cluster(), "others", 1, 3)
	commit(t, b.Cluster(), "consumers", 0, 5)
	awaitFirst(t, b.Cluster(), 4)
	spans, err := cluster.Spans(t.Context(), b.Cluster(), topic)
	if err != nil {
		t.Fatal(err)
	}
	if spans[1].First != 0 {
		t.Errorf("partition 1 begins at %d although one group has not read it", spans[1].First)
	}
}

func TestNothingIsTrimmedWithoutCommits(t *testing.T) {
	b := open(t, testConfig(t.TempDir()))
	defer shut(t, b)
	ensureTopic(t, b.Cluster(), 1)
	put(t, writer(t, b.Cluster()), "one", "two")
	b.server.spool.sweep(t.Context())
	if got := readAll(t, b.Cluster()); len(got) != 2 {
		t.Errorf("records %v", got)
	}
}

// TestTrimmingFreesTheDisk also shows that a limit below one batch does not stop a producer that is consumed from.
func TestTrimmingFreesTheDisk(t *testing.T) {
	c := testConfig(t.TempDir())
	c.SpoolBytes = 1 << 20
	b := open(t, c)
	defer shut(t, b)
	ensureTopic(t, b.Cluster(), 1)
	for n := range int64(24) {
		for produce(t, b.Cluster(), 0, 8<<20) != nil {
			if err := pause(t.Context(), sweepEvery/4); err != nil {
				t.Fatal(err)
			}
		}
		commit(t, b.Cluster(), "consumers", 0, n+1)
	}
	awaitFirst(t, b.Cluster(), 23)
	var size int64
	err := filepath.WalkDir(c.dataDir(), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".dat") {
			info, statErr := d.Info()
			if statErr != nil {
				return statErr
			}
			size += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// Of 192 MiB written, at most the last segment of 32 MiB and a batch can be left.
	if size > 48<<20 {
		t.Errorf("%d MiB are on the disk", size>>20)
	}
}

// TestOffsetsGoOnAfterAKill guards the consumer's memory of what it has read: offsets must not begin again at 0 when
// everything was consumed and trimmed before the broker was killed.
func TestOffsetsGoOnAfterAKill(t *testing.T) {
	dir := t.TempDir()
	p := spawn(t, dir, true)
	at, err := loadAddress(testConfig(dir).addressFile())
	if err != nil {
		t.Fatal(err)
	}
	c := cluster.Config{Brokers: []string{at.String()}}
	ensureTopic(t, c, 1)
	for range 5 {
		if err := produce(t, c, 0, 100); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, c, "consumers", 0, 5)
	awaitFirst(t, c, 4)
	p.kill()
	spawn(t, dir, true)
	spans, err := cluster.Spans(t.Context(), c, topic)
	if err != nil {
		t.Fatal(err)
	}
	if spans[0].End != 5 {
		t.Errorf("the partition ends at %d after the kill, want 5", spans[0].End)
	}
}
