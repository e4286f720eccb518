package deadletter

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/schemas"
)

// Stages that write letters.
const (
	StagePublish = "publish" // the file or archive could not be read: there is no record
	StageParse   = "parse"   // the record could not be turned into a row
	StageSearch  = "search"  // the record is no query
)

// connectPrefix starts the headers that describe the failure. What else a letter carries came with the record.
const connectPrefix = "__connect.errors."

// maxExcerpt and maxMessage bound the headers, in bytes: brokers and tools expect headers to be small.
const (
	maxExcerpt = 400
	maxMessage = 2000
)

// Letter is one document that failed.
type Letter struct {
	Stage   string // StagePublish, StageParse or StageSearch
	Class   string // short reason code: unsupported-root, truncated ...
	Message string // one sentence with the reason
	Excerpt string // the place in the document, "" when there is none to show

	Path   string // file; archive members after '!'; "" when unknown
	Range  string // "start-end" in that file, "" when unknown
	SHA256 string // hash of Value, hexadecimal; Write fills it in when it is "" and there is a value

	// The record that failed. Letters of StagePublish have none: Topic is where it would have gone, Offset is -1.
	Topic     string
	Partition int
	Offset    int64
	Time      time.Time // zero means now
	Key       []byte
	Value     []byte
	Headers   []kafka.Header
}

// record makes the dead letter topic's record of l, whose value keeps at most limit bytes.
func (l Letter) record(limit int) kafka.Message {
	m := kafka.Message{Key: l.Key, Value: l.Value, Time: l.Time}
	offset := l.Offset
	if l.Stage == StagePublish {
		offset = -1
		m.Key = []byte(l.Path)
	}
	m.Headers = slices.DeleteFunc(slices.Clone(l.Headers), func(h kafka.Header) bool { return ours(h.Key) })
	set := func(key, value string) {
		m.Headers = append(m.Headers, kafka.Header{Key: key, Value: []byte(value)})
	}
	keep := func(key, value string) {
		if value != "" && header(l.Headers, key) == "" {
			set(key, value)
		}
	}
	keep(schemas.HeaderPath, l.Path)
	keep(schemas.HeaderRange, l.Range)
	keep(schemas.HeaderSHA256, l.hash())
	if l.Excerpt != "" {
		set(schemas.HeaderExcerpt, cut(l.Excerpt, maxExcerpt))
	}
	if len(m.Value) > limit {
		set(schemas.HeaderValueCut, strconv.Itoa(len(m.Value)))
		m.Value = m.Value[:limit]
	}
	set(schemas.HeaderErrorTopic, l.Topic)
	set(schemas.HeaderErrorPartition, strconv.Itoa(l.Partition))
	set(schemas.HeaderErrorOffset, strconv.FormatInt(offset, 10))
	set(schemas.HeaderErrorConnector, "dssdnet")
	set(schemas.HeaderErrorTask, "0")
	set(schemas.HeaderErrorStage, l.Stage)
	set(schemas.HeaderErrorClass, l.Class)
	set(schemas.HeaderErrorMessage, cut(l.Message, maxMessage))
	return m
}

func (l Letter) hash() string {
	if l.SHA256 != "" || len(l.Value) == 0 {
		return l.SHA256
	}
	sum := sha256.Sum256(l.Value)
	return hex.EncodeToString(sum[:])
}

// read is the reverse of record. fullLength is the length of the failed record's value, more than len(Value) when the
// letter holds only its beginning.
func read(m kafka.Message) (l Letter, fullLength int64) {
	get := func(key string) string { return header(m.Headers, key) }
	l = Letter{
		Stage: get(schemas.HeaderErrorStage), Class: get(schemas.HeaderErrorClass), Message: get(schemas.HeaderErrorMessage),
		Excerpt: get(schemas.HeaderExcerpt),
		Path:    get(schemas.HeaderPath), Range: get(schemas.HeaderRange), SHA256: get(schemas.HeaderSHA256),
		Topic: get(schemas.HeaderErrorTopic), Offset: -1, Time: m.Time, Key: m.Key, Value: m.Value,
	}
	if n, err := strconv.Atoi(get(schemas.HeaderErrorPartition)); err == nil {
		l.Partition = n
	}
	if n, err := strconv.ParseInt(get(schemas.HeaderErrorOffset), 10, 64); err == nil {
		l.Offset = n
	}
	l.Headers = slices.DeleteFunc(slices.Clone(m.Headers), func(h kafka.Header) bool { return ours(h.Key) })
	fullLength = int64(len(m.Value))
	if n, err := strconv.ParseInt(get(schemas.HeaderValueCut), 10, 64); err == nil {
		fullLength = n
	}
	l.SHA256 = l.hash()
	return l, fullLength
}

// ours reports whether a header belongs to the letter and not to the record that failed.
func ours(key string) bool {
	return strings.HasPrefix(key, connectPrefix) || key == schemas.HeaderExcerpt || key == schemas.HeaderValueCut
}

// header returns the last value of a header, as Kafka clients do.
func header(headers []kafka.Header, key string) string {
	for _, h := range slices.Backward(headers) {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}

// cut shortens s to at most limit bytes of valid UTF-8.
func cut(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.ToValidUTF8(s, "")
}
