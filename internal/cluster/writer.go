package cluster

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/segmentio/kafka-go"
)

// MaxMessageBytes is the limit on a batch that topics of documents are created with (max.message.bytes), and
// BatchBytes the size at which a producer closes a batch. The client counts before compression and without the
// overhead of records, so there must be air between the two.
const (
	MaxMessageBytes = 16 << 20
	BatchBytes      = 12 << 20
)

// Balancer sends all records of a key to one partition, the one a Java client would choose.
func Balancer() kafka.Balancer { return kafka.Murmur2Balancer{Consistent: true} }

// NewWriter makes a writer whose WriteMessages returns when every replica has the records, and rides out about a
// minute without brokers. A record may be written twice when an acknowledgement is lost. log gets the retries; nil
// discards them. Close the writer, then give its Transport to [Release].
//
// Errors of single records come as kafka.WriteErrors, through which errors.Is does not look: loop over it.
func NewWriter(c Config, topic string, log *slog.Logger) (*kafka.Writer, error) {
	transport, err := c.Transport()
	if err != nil {
		return nil, err
	}
	w := &kafka.Writer{
		Addr:            c.addr(),
		Topic:           topic,
		Balancer:        Balancer(),
		RequiredAcks:    kafka.RequireAll, // the zero value waits for nobody
		MaxAttempts:     60,
		WriteBackoffMax: time.Second,
		BatchBytes:      BatchBytes,
		BatchSize:       1000,
		BatchTimeout:    5 * time.Millisecond, // WriteMessages waits this long for a batch to fill; the default is 1 s
		ReadTimeout:     requestTimeout,
		WriteTimeout:    requestTimeout,
		Transport:       transport,
	}
	if log != nil {
		w.ErrorLogger = kafka.LoggerFunc(func(format string, args ...any) {
			log.Warn("kafka: "+fmt.Sprintf(format, args...), "topic", topic)
		})
	}
	return w, nil
}
