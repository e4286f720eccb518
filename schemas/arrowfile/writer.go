package arrowfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Compression of the record batches.
const (
	None = "none" // the fastest to read, and what every reader reads
	LZ4  = "lz4"  // LZ4 frames: text shrinks to about half
)

// Options of a file.
type Options struct {
	Compression string   // None or LZ4; "" is None
	Metadata    []string // further metadata of the schema, as pairs of key and value
}

// Writer writes a file. It is not safe for concurrent use.
type Writer[R any] struct {
	path    string
	f       *os.File
	out     *output
	ipc     *ipc.FileWriter
	builder *array.RecordBuilder
	appends []func(*R) error
	pending int
}

// Create starts the file at path, which must not exist. The caller calls Close or Abort.
func Create[R any](path string, t Table[R], o Options) (*Writer[R], error) {
	schema := t.Arrow.Schema(o.Metadata...)
	options := []ipc.Option{ipc.WithSchema(schema)}
	switch o.Compression {
	case "", None:
	case LZ4:
		options = append(options, ipc.WithLZ4())
	default:
		return nil, fmt.Errorf("create %s: compression %q is neither %s nor %s", path, o.Compression, None, LZ4)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	w := &Writer[R]{path: path, f: f, out: newOutput(f), builder: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
	if w.ipc, err = ipc.NewFileWriter(w.out, options...); err != nil {
		w.Abort()
		return nil, fmt.Errorf("create %s: %w", path, err)
	}
	for i, c := range t.columns {
		appendTo, err := c.bind(w.builder.Field(i))
		if err != nil {
			w.Abort()
			return nil, fmt.Errorf("create %s: column %s: %w", path, schema.Field(i).Name, err)
		}
		w.appends = append(w.appends, appendTo)
	}
	return w, nil
}

// Append adds a row to the batch in the making. The row may be changed afterwards.
func (w *Writer[R]) Append(row *R) error {
	for i, appendTo := range w.appends {
		if err := appendTo(row); err != nil {
			return fmt.Errorf("%s: column %s: %w", w.path, w.builder.Schema().Field(i).Name, err)
		}
	}
	w.pending++
	return nil
}

// Flush ends the record batch. Without rows there is none.
func (w *Writer[R]) Flush() error {
	if w.pending == 0 {
		return nil
	}
	record := w.builder.NewRecord()
	defer record.Release()
	w.pending = 0
	if err := w.ipc.Write(record); err != nil {
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return nil
}

// Close ends the file and syncs it to disk. A file that could not be ended is gone.
func (w *Writer[R]) Close() error {
	err := w.Flush()
	if err == nil {
		err = errors.Join(w.ipc.Close(), w.out.buffer.Flush(), w.f.Sync(), w.f.Close())
	}
	w.builder.Release()
	if err != nil {
		w.Abort()
		return fmt.Errorf("write %s: %w", w.path, err)
	}
	return nil
}

// Abort drops the file.
func (w *Writer[R]) Abort() {
	_ = w.f.Close()
	_ = os.Remove(w.path)
}

// output collects the many small writes of the Arrow library, which asks for nothing but its position.
type output struct {
	buffer *bufio.Writer
	at     int64
}

func newOutput(w io.Writer) *output { return &output{buffer: bufio.NewWriterSize(w, 1<<20)} }

func (o *output) Write(p []byte) (int, error) {
	n, err := o.buffer.Write(p)
	o.at += int64(n)
	return n, err
}

func (o *output) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.ErrUnsupported
	}
	return o.at, nil
}
