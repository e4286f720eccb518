package safetensors

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"dssdnet/internal/fault"
)

// maxHeader is the limit of the format's own implementation.
const maxHeader = 100 << 20

// metadataKey is the entry of the header that is no tensor.
const metadataKey = "__metadata__"

// Tensor is a named tensor. Data is row-major and little-endian.
type Tensor struct {
	Name  string
	DType DType
	Shape []int
	Data  []byte
}

// File is an open file. The tensors' Data is the mapped file: read-only, and gone after Close.
type File struct {
	Metadata map[string]string
	path     string
	data     []byte
	tensors  map[string]Tensor
	names    []string
}

type entry struct {
	DType   DType    `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// Open maps a file and checks its header. An error of kind fault.Rejected says what is wrong with the file.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read tensors: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read tensors: %w", err)
	}
	if info.Size() < 8 {
		return nil, fault.New(fault.Rejected, "%s is no safetensors file: it has %d bytes", path, info.Size())
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", path, err)
	}
	file := &File{path: path, data: data, tensors: map[string]Tensor{}, Metadata: map[string]string{}}
	if err := file.parse(); err != nil {
		_ = unix.Munmap(data)
		return nil, fault.New(fault.Rejected, "%s: %w", path, err)
	}
	return file, nil
}

func (f *File) parse() error {
	length := binary.LittleEndian.Uint64(f.data)
	if length > maxHeader {
		return fmt.Errorf("no safetensors file: its header would have %d bytes", length)
	}
	if int64(length) > int64(len(f.data))-8 {
		return fmt.Errorf("the file is cut short: the header has %d bytes and the file %d", length, len(f.data))
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(f.data[8:8+length], &header); err != nil {
		return fmt.Errorf("no safetensors file: its header is not JSON: %w", err)
	}
	if raw, ok := header[metadataKey]; ok {
		if err := json.Unmarshal(raw, &f.Metadata); err != nil {
			return fmt.Errorf("the metadata are not texts by name: %w", err)
		}
		delete(header, metadataKey)
	}
	return f.place(header, f.data[8+length:])
}

// place checks that the tensors lie side by side in body without gap or overlap.
func (f *File) place(header map[string]json.RawMessage, body []byte) error {
	type placed struct {
		name string
		entry
	}
	var all []placed
	for name, raw := range header {
		p := placed{name: name}
		if err := json.Unmarshal(raw, &p.entry); err != nil {
			return fmt.Errorf("tensor %s: %w", name, err)
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]), cmp.Compare(a.name, b.name))
	})
	end := int64(0)
	for _, p := range all {
		size, err := p.bytes()
		if err != nil {
			return fmt.Errorf("tensor %s: %w", p.name, err)
		}
		switch from, to := p.Offsets[0], p.Offsets[1]; {
		case from != end || to-from != size:
			return fmt.Errorf("tensor %s of type %s and shape %v needs %d bytes from %d, the header says [%d, %d)",
				p.name, p.DType, p.Shape, size, end, from, to)
		case to > int64(len(body)):
			return fmt.Errorf("the file is cut short: tensor %s ends at byte %d of %d", p.name, to, len(body))
		}
		f.tensors[p.name] = Tensor{p.name, p.DType, p.Shape, body[p.Offsets[0]:p.Offsets[1]]}
		f.names = append(f.names, p.name)
		end = p.Offsets[1]
	}
	if end != int64(len(body)) {
		return fmt.Errorf("%d bytes after the last tensor belong to none", int64(len(body))-end)
	}
	slices.Sort(f.names)
	return nil
}

func (e entry) bytes() (int64, error) {
	n := e.DType.Size()
	if n == 0 {
		return 0, fmt.Errorf("unknown type %q", e.DType)
	}
	for _, d := range e.Shape {
		if d < 0 || d > 0 && n > math.MaxInt64/int64(d) {
			return 0, fmt.Errorf("impossible shape %v", e.Shape)
		}
		n *= int64(d)
	}
	return n, nil
}

// Names are the names of all tensors, sorted.
func (f *File) Names() []string { return f.names }

// Path is the file's path.
func (f *File) Path() string { return f.path }

// Tensor is a tensor by name.
func (f *File) Tensor(name string) (Tensor, bool) {
	t, ok := f.tensors[name]
	return t, ok
}

// Close ends the mapping.
func (f *File) Close() error { return unix.Munmap(f.data) }
