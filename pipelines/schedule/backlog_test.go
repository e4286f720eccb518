package schedule

import (
	"context"
	"strings"
	"testing"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/broker"
	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

func TestBacklogOfTheTopic(t *testing.T) {
	ctx := t.Context()
	c := Default()
	c.Workspace = workspace.Dir(t.TempDir())
	settings := broker.Default()
	settings.Workspace = c.Workspace
	b, err := broker.Open(ctx, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	c.Cluster = func(context.Context) (cluster.Config, error) { return b.Cluster(), nil }
	counter := newCounter(c)
	holds := func(what string, waiting, taken int64) {
		t.Helper()
		if got, err := counter.count(ctx); err != nil || got != (backlog{waiting, taken}) {
			t.Errorf("%s: %+v, %v, want %d waiting and %d taken", what, got, err, waiting, taken)
		}
	}
	holds("before the first publish", 0, 0)
	if err := cluster.EnsureTopic(ctx, b.Cluster(), c.Topic, 2, nil); err != nil {
		t.Fatal(err)
	}
	holds("an empty topic", 0, 0)
	publish(t, b.Cluster(), c.Topic, 0, 7)
	publish(t, b.Cluster(), c.Topic, 1, 5)
	holds("nothing consumed", 12, 0)

	id, err := cluster.ID(ctx, b.Cluster())
	if err != nil {
		t.Fatal(err)
	}
	consumed := func(partition int, first, last int64) {
		t.Helper()
		folder := chain.NewFolder[schemas.Document](c.Workspace.Table("documents"), schemas.Documents)
		w, err := folder.Create(chain.Source{ClusterID: id, Topic: c.Topic, Partition: partition}, first)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Publish(chain.End{Last: last}); err != nil {
			t.Fatal(err)
		}
	}
	consumed(1, 0, 3)
	holds("a part of one partition consumed", 8, 4)
	consumed(0, 0, 6)
	consumed(1, 4, 4)
	holds("all consumed", 0, 12)
	publish(t, b.Cluster(), c.Topic, 0, 1)
	holds("one more", 1, 12)

	consumed(1, 5, 9)
	if _, err := counter.count(ctx); err == nil || !strings.Contains(err.Error(), "made again") {
		t.Errorf("files of a topic that is another now: %v", err)
	}
}

func publish(t *testing.T, c cluster.Config, topic string, partition, records int) {
	t.Helper()
	client, err := c.Client()
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	var batch []kafka.Record
	for range records {
		batch = append(batch, kafka.Record{Value: kafka.NewBytes([]byte("<patent-document/>"))})
	}
	reply, err := client.Produce(t.Context(), &kafka.ProduceRequest{
		Topic: topic, Partition: partition, RequiredAcks: kafka.RequireAll, Records: kafka.NewRecordReader(batch...)})
	if err == nil {
		err = reply.Error
	}
	if err != nil {
		t.Fatal(err)
	}
}
