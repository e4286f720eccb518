package broker

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"

	"github.com/twmb/franz-go/pkg/kfake"

	"dssdnet/internal/cluster"
	"dssdnet/internal/durable"
)

// brokerConfigs are Kafka's broker settings. Nothing expires: neither records nor committed offsets. Small segments
// let trimming free the disk early. On the loopback interface a consumer that is silent for a moment is dead, so short
// session timeouts are allowed.
func brokerConfigs() map[string]string {
	return map[string]string{
		"message.max.bytes":            fmt.Sprint(cluster.MaxMessageBytes),
		"log.segment.bytes":            fmt.Sprint(32 << 20),
		"log.retention.ms":             "-1",
		"log.retention.bytes":          "-1",
		"offsets.retention.minutes":    "2147483647",
		"group.min.session.timeout.ms": "100",
	}
}

// server is the broker running in this process.
type server struct {
	kafka *kfake.Cluster
	spool *spool
	lock  *durable.Lock
}

// serve starts the broker at an address and takes over the lock. It returns the address with the id of the cluster.
func serve(ctx context.Context, c Config, at address, lock *durable.Lock) (*server, address, error) {
	options := []kfake.Opt{
		kfake.Ports(at.Port), // one broker: one port
		kfake.DataDir(c.dataDir()),
		kfake.ClusterID(newClusterID()), // of a new log; an old one keeps its own
		kfake.BrokerConfigs(brokerConfigs()),
		kfake.DefaultNumPartitions(4),
		kfake.WithLogger(kafkaLog{c.log()}),
	}
	if c.SyncWrites {
		options = append(options, kfake.SyncWrites())
	}
	k, err := kfake.NewCluster(options...)
	if err != nil {
		return nil, address{}, fmt.Errorf("start the embedded broker on %s with the log in %s: %w", at, c.dataDir(), err)
	}
	s := &server{kafka: k, lock: lock}
	if at.ClusterID, err = cluster.ID(ctx, cluster.Config{Brokers: []string{at.String()}}); err == nil {
		err = at.save(c.addressFile())
	}
	if err != nil {
		k.Close()
		return nil, address{}, err
	}
	s.spool = startSpool(c, k, at)
	return s, at, nil
}

// stop writes the log's snapshot, which makes the next start fast, and lets another process serve.
func (s *server) stop() error {
	s.spool.stop()
	s.kafka.Close()
	return s.lock.Unlock()
}

// newClusterID is 128 random bits as Kafka writes them.
func newClusterID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // cannot fail
	return base64.RawURLEncoding.EncodeToString(id)
}

// kafkaLog passes on the broker's warnings: a disk that is full, a log that was cut off.
type kafkaLog struct{ log *slog.Logger }

func (l kafkaLog) Logf(level kfake.LogLevel, format string, args ...any) {
	switch level {
	case kfake.LogLevelError, kfake.LogLevelWarn:
		l.log.Warn("embedded broker: " + fmt.Sprintf(format, args...))
	}
}
