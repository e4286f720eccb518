package safetensors

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func source(name string, d DType, data []byte, shape ...int) Source {
	return Source{name, d, shape, func() ([]byte, error) { return data, nil }}
}

func example() []Source {
	return []Source{
		source("b", U8, []byte{1, 2, 3}, 3),
		source("a", F32, []byte{0, 0, 128, 63, 0, 0, 0, 64}, 2, 1),
		source("scalar", I64, []byte{7, 0, 0, 0, 0, 0, 0, 0}),
		source("none", BF16, nil, 0, 4),
	}
}

func encode(t *testing.T, sources []Source) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, sources, map[string]string{"format": "pt"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWriteThenRead(t *testing.T) {
	data := encode(t, example())
	f, err := Open(put(t, data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Names(); !slices.Equal(got, []string{"a", "b", "none", "scalar"}) {
		t.Errorf("names %v", got)
	}
	if f.Metadata["format"] != "pt" {
		t.Errorf("metadata %v", f.Metadata)
	}
	for _, s := range example() {
		got, ok := f.Tensor(s.Name)
		want, _ := s.Bytes()
		if !ok || got.DType != s.DType || !slices.Equal(got.Shape, s.Shape) || !bytes.Equal(got.Data, want) {
			t.Errorf("%s: %+v", s.Name, got)
		}
	}
	if n := binary.LittleEndian.Uint64(data); n%8 != 0 {
		t.Errorf("a header of %d bytes leaves the tensors unaligned", n)
	}
	reversed := example()
	slices.Reverse(reversed)
	if !bytes.Equal(encode(t, reversed), data) {
		t.Error("the order of the sources shows in the file")
	}
}

// A file cut short anywhere is refused, and so is one with bytes to spare.
func TestCutShort(t *testing.T) {
	data := encode(t, example())
	for n := range len(data) {
		f, err := Open(put(t, data[:n]))
		if err == nil {
			_ = f.Close()
			t.Fatalf("the first %d of %d bytes were accepted", n, len(data))
		}
	}
	_, err := Open(put(t, data[:len(data)-1]))
	if err == nil || !strings.Contains(err.Error(), "cut short") || !strings.Contains(err.Error(), "tensor b") {
		t.Errorf("a file without its last byte says %v", err)
	}
	if _, err := Open(put(t, append(data, 0))); err == nil {
		t.Error("a byte after the last tensor was accepted")
	}
}

func TestBadHeaders(t *testing.T) {
	for header, want := range map[string]string{
		`[]`: "not JSON",
		`{"a":{"dtype":"F8","shape":[1],"data_offsets":[0,4]}}`:                                                       "unknown type",
		`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`:                                                      "needs 8 bytes",
		`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`:                                                     "impossible shape",
		`{"a":{"dtype":"F32","shape":[4611686018427387904,4611686018427387904],"data_offsets":[0,4]}}`:                "impossible shape",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`: "tensor b",
		`{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`:                                                     "header says",
		`{"__metadata__":{"x":1},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`:                               "metadata",
	} {
		data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		data = append(append(data, header...), 0, 0, 0, 0)
		if _, err := Open(put(t, data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s says %v, want %q", header, err, want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, sources := range map[string][]Source{
		"a name twice":  {source("a", U8, []byte{1}, 1), source("a", U8, []byte{1}, 1)},
		"too few bytes": {source("a", F32, []byte{1}, 1)},
	} {
		if err := Write(&bytes.Buffer{}, sources, nil); err == nil || !strings.Contains(err.Error(), "tensor a") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	var b bytes.Buffer
	if err := Write(&b, example(), nil); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(put(t, data))
		if err != nil {
			return
		}
		defer file.Close()
		total := 0
		for _, name := range file.Names() {
			tensor, _ := file.Tensor(name)
			total += len(tensor.Data)
		}
		if total > len(data) {
			t.Fatalf("%d bytes of tensors in a file of %d", total, len(data))
		}
	})
}
