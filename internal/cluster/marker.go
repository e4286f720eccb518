package cluster

import "github.com/segmentio/kafka-go"

// Marker reports whether a record is none, but the end of a transaction of the producer, which the client shows as a
// record: a key of version 0 and type abort or commit, a value of version and epoch.
func Marker(m kafka.Message) bool {
	return len(m.Headers) == 0 && len(m.Value) == 6 && len(m.Key) == 4 &&
		m.Key[0] == 0 && m.Key[1] == 0 && m.Key[2] == 0 && m.Key[3] <= 1
}
