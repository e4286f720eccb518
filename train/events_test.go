package train

import (
	"encoding/binary"
	"math"
	"os"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// TestEvents reads a file back by the TFRecord format and protobuf's own decoder.
func TestEvents(t *testing.T) {
	e, err := createEvents(t.TempDir(), time.Unix(1000, 5), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.scalars(time.Unix(1001, 0), 7, map[string]float64{"train/loss": 0.5}); err != nil {
		t.Fatal(err)
	}
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(e.f.Name())
	if err != nil {
		t.Fatal(err)
	}
	var records [][]byte
	for len(data) > 0 {
		n := binary.LittleEndian.Uint64(data)
		if got := binary.LittleEndian.Uint32(data[8:]); got != masked(data[:8]) {
			t.Fatalf("checksum of the length: %x", got)
		}
		body := data[12 : 12+n]
		if got := binary.LittleEndian.Uint32(data[12+n:]); got != masked(body) {
			t.Fatalf("checksum of the record: %x", got)
		}
		records = append(records, body)
		data = data[16+n:]
	}
	if len(records) != 2 {
		t.Fatalf("%d records", len(records))
	}
	if v := string(bytesField(t, records[0], 3)); v != "brain.Event:2" {
		t.Errorf("the first record is %q", v)
	}
	value := bytesField(t, bytesField(t, records[1], 5), 1)
	if tag := string(bytesField(t, value, 1)); tag != "train/loss" {
		t.Errorf("tag %q", tag)
	}
	if got := fixedField(t, value, 2); math.Float32frombits(got) != 0.5 {
		t.Errorf("value %x", got)
	}
}

// The CRC-32C of "123456789" is e3069283 in every catalogue; rotated right by 15 and moved by a282ead8 it is this.
func TestMaskedChecksum(t *testing.T) {
	if got := masked([]byte("123456789")); got != 0xc78ab0e5 {
		t.Errorf("masked = %x", got)
	}
}

func walk(t *testing.T, b []byte, f func(n protowire.Number, kind protowire.Type, rest []byte)) {
	t.Helper()
	for len(b) > 0 {
		n, kind, k := protowire.ConsumeTag(b)
		if k < 0 {
			t.Fatal("no tag")
		}
		f(n, kind, b[k:])
		size := protowire.ConsumeFieldValue(n, kind, b[k:])
		if size < 0 {
			t.Fatal("no value")
		}
		b = b[k+size:]
	}
}

func bytesField(t *testing.T, b []byte, number protowire.Number) (out []byte) {
	t.Helper()
	walk(t, b, func(n protowire.Number, kind protowire.Type, rest []byte) {
		if n == number && kind == protowire.BytesType {
			out, _ = protowire.ConsumeBytes(rest)
		}
	})
	return out
}

func fixedField(t *testing.T, b []byte, number protowire.Number) (out uint32) {
	t.Helper()
	walk(t, b, func(n protowire.Number, kind protowire.Type, rest []byte) {
		if n == number && kind == protowire.Fixed32Type {
			out, _ = protowire.ConsumeFixed32(rest)
		}
	})
	return out
}
