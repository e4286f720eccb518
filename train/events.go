package train

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// eventFile is a TensorBoard event file: records of a length, its checksum, a protobuf Event and its checksum.
type eventFile struct{ f *os.File }

// createEvents starts a file. TensorBoard drops what older files of the folder hold from step on.
func createEvents(dir string, now time.Time, step int) (*eventFile, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	f, err := os.Create(filepath.Join(dir, fmt.Sprintf("events.out.tfevents.%d.%s.%d", now.Unix(), host, now.Nanosecond())))
	if err != nil {
		return nil, fmt.Errorf("create the TensorBoard events: %w", err)
	}
	e := &eventFile{f}
	if err := e.record(event(now, 0, field(3, []byte("brain.Event:2")))); err != nil {
		return nil, err
	}
	if step > 0 {
		start := append(varint(nil, 1<<3), varint(nil, 1)...) // SessionLog.status = START
		if err := e.record(event(now, step+1, field(7, start))); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// scalars writes values by tag, as one event.
func (e *eventFile) scalars(now time.Time, step int, values map[string]float64) error {
	var summary []byte
	for _, tag := range slices.Sorted(maps.Keys(values)) {
		value := field(1, []byte(tag))
		value = varint(value, 2<<3|5) // simple_value, a float
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(float32(values[tag])))
		summary = append(summary, field(1, value)...)
	}
	return e.record(event(now, step, field(5, summary)))
}

// event is a protobuf Event: wall_time = 1, step = 2, and one more field.
func event(now time.Time, step int, rest []byte) []byte {
	b := varint(nil, 1<<3|1)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(now.UnixNano())/1e9))
	b = varint(b, 2<<3)
	b = varint(b, uint64(step))
	return append(b, rest...)
}

// field is a protobuf field of bytes.
func field(number uint64, data []byte) []byte {
	b := varint(nil, number<<3|2)
	b = varint(b, uint64(len(data)))
	return append(b, data...)
}

func varint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked is the checksum of the TFRecord format.
func masked(data []byte) uint32 {
	c := crc32.Checksum(data, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

func (e *eventFile) record(data []byte) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = binary.LittleEndian.AppendUint32(b, masked(b))
	b = append(b, data...)
	b = binary.LittleEndian.AppendUint32(b, masked(data))
	if _, err := e.f.Write(b); err != nil {
		return fmt.Errorf("write the TensorBoard events: %w", err)
	}
	return nil
}

func (e *eventFile) close() error { return e.f.Close() }
