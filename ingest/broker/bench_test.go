package broker

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
)

// BenchmarkProduce is what the embedded broker takes in, client and broker in one process: go test -bench Produce
func BenchmarkProduce(b *testing.B) {
	for _, sync := range []bool{false, true} {
		for _, batch := range []int{64 << 10, 1 << 20, 12 << 20} {
			b.Run(fmt.Sprintf("sync=%v/batch=%dKiB", sync, batch>>10), func(b *testing.B) { produceBatches(b, sync, batch) })
		}
	}
}

func produceBatches(b *testing.B, sync bool, batch int) {
	c := Default()
	c.Workspace, c.SyncWrites, c.SpoolBytes = workspace.Dir(b.TempDir()), sync, 1<<50
	broker, err := Open(b.Context(), c)
	if err != nil {
		b.Fatal(err)
	}
	defer broker.Close()
	if err := cluster.EnsureTopic(b.Context(), broker.Cluster(), topic, 4, nil); err != nil {
		b.Fatal(err)
	}
	client, err := broker.Cluster().Client()
	if err != nil {
		b.Fatal(err)
	}
	defer cluster.Release(client.Transport)
	const document = 16 << 10
	value := bytes.Repeat([]byte("patent "), document/7)
	b.SetBytes(int64(batch))
	for b.Loop() {
		records := make([]kafka.Record, batch/document)
		for i := range records {
			records[i] = kafka.Record{Key: kafka.NewBytes([]byte("EP-1000000")), Value: kafka.NewBytes(value)}
		}
		reply, err := client.Produce(context.Background(), &kafka.ProduceRequest{Topic: topic, RequiredAcks: kafka.RequireAll,
			Records: kafka.NewRecordReader(records...)})
		if err != nil || reply.Error != nil {
			b.Fatal(err, reply)
		}
	}
}
