package safetensors

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Source is a tensor to write: its bytes are asked for when its turn has come, so that a model on a device needs only
// the memory of its largest tensor.
type Source struct {
	Name  string
	DType DType
	Shape []int
	Bytes func() ([]byte, error)
}

// Write writes a file. The order of sources does not matter: the same tensors give the same bytes.
func Write(w io.Writer, sources []Source, metadata map[string]string) error {
	sources = slices.Clone(sources)
	// Wide types first, as the format's own implementation has it: every tensor is aligned to its type.
	slices.SortFunc(sources, func(a, b Source) int {
		return cmp.Or(cmp.Compare(b.DType.Size(), a.DType.Size()), cmp.Compare(a.Name, b.Name))
	})
	header := map[string]any{}
	if len(metadata) > 0 {
		header[metadataKey] = metadata
	}
	end := int64(0)
	for _, s := range sources {
		shape := s.Shape
		if shape == nil {
			shape = []int{} // a scalar: null would be no shape
		}
		e := entry{DType: s.DType, Shape: shape, Offsets: [2]int64{end}}
		n, err := e.bytes()
		if err != nil {
			return fmt.Errorf("write tensor %s: %w", s.Name, err)
		}
		if _, twice := header[s.Name]; twice {
			return fmt.Errorf("write tensor %s: the name stands twice", s.Name)
		}
		end += n
		e.Offsets[1] = end
		header[s.Name] = e
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	for len(text)%8 != 0 {
		text = append(text, ' ')
	}
	b := bufio.NewWriterSize(w, 1<<20)
	_ = binary.Write(b, binary.LittleEndian, uint64(len(text))) // bufio keeps the first error for Flush
	_, _ = b.Write(text)
	for _, s := range sources {
		data, err := s.Bytes()
		if err != nil {
			return fmt.Errorf("write tensor %s: %w", s.Name, err)
		}
		if want, _ := (entry{DType: s.DType, Shape: s.Shape}).bytes(); int64(len(data)) != want {
			return fmt.Errorf("write tensor %s: %d bytes for type %s and shape %v", s.Name, len(data), s.DType, s.Shape)
		}
		if _, err := b.Write(data); err != nil {
			return fmt.Errorf("write tensor %s: %w", s.Name, err)
		}
	}
	return b.Flush()
}
