package publish

import (
	"fmt"
	"os"
	"testing"
	"time"

	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// TestApacheKafka publishes to a real broker: archives, documents of 10 MB, and each compression it knows.
func TestApacheKafka(t *testing.T) {
	address := os.Getenv("DSSDNET_KAFKA")
	if address == "" {
		t.Skip("needs an Apache Kafka: DSSDNET_KAFKA=$(scripts/kafka.sh start DIR)")
	}
	dir := t.TempDir()
	for i := range 300 {
		write(t, dir, fmt.Sprintf("EP/%d.xml", i), patent(fmt.Sprintf("EP-%07d-A1", i), noise(20_000+i)))
	}
	write(t, dir, "a.tar.gz", gzipped(t, tarred(t, memberFile{"1.xml", patent("EP-0001000-A1", "in a tar")})))
	for i := range 3 {
		write(t, dir, fmt.Sprintf("large/%d.xml", i), patent(fmt.Sprintf("EP-000200%d-A1", i), noise(10_000_000)))
	}
	for _, codec := range []string{"none", "snappy", "lz4", "zstd", "gzip"} {
		t.Run(codec, func(t *testing.T) {
			c := Default()
			c.Paths, c.Workspace, c.Cluster = []string{dir}, workspace.Dir(t.TempDir()), cluster.Config{Brokers: []string{address}}
			c.Topic, c.Compression, c.MaxDocumentBytes = fmt.Sprintf("test-publish-%s-%d", codec, time.Now().UnixNano()), codec, 11<<20
			r, records := publishes(t, c)
			if r.Documents != 304 || r.DeadLetters != 0 || r.Partitions != 4 {
				t.Errorf("result %+v", r)
			}
			found := map[string]int{}
			for _, m := range flat(records) {
				checkRecord(t, m)
				found[header(m, schemas.HeaderPath)]++
			}
			if len(found) != 304 {
				t.Errorf("%d documents are in the topic", len(found))
			}
		})
	}
}
