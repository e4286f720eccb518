package schemas

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// PageBytes is the size of a column page before compression. Larger pages compress better and cost memory per
// column and writer.
const PageBytes = 1 << 20

// bloomBitsPerValue gives a false positive rate of about 1 % for a split block Bloom filter.
const bloomBitsPerValue = 10

// WriterOptions returns the options with which every file of t is written: zstd, pages of [PageBytes], no
// statistics of long text, Bloom filters on the keys, and the schema tag in the metadata.
func (t Table) WriterOptions() []parquet.WriterOption {
	options := []parquet.WriterOption{
		parquet.SchemaOf(t.Row),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}),
		parquet.PageBufferSize(PageBytes),
		parquet.DictionaryMaxBytes(1 << 20),
		parquet.KeyValueMetadata(MetadataSchema, t.Tag()),
		parquet.CreatedBy("dssdnet", t.Tag(), ""),
	}
	for _, column := range t.Blobs {
		path := strings.Split(column, ".")
		options = append(options, parquet.SkipPageBounds(path...), parquet.SkipPageStatistics(path...))
	}
	var filters []parquet.BloomFilterColumn
	for _, column := range t.Keys {
		filters = append(filters, parquet.SplitBlockFilter(bloomBitsPerValue, strings.Split(column, ".")...))
	}
	if len(filters) > 0 {
		options = append(options, parquet.BloomFilters(filters...))
	}
	return options
}

// NewWriter returns a writer of rows of t, whose row type is R. The caller closes it, and closes w after it.
func NewWriter[R any](t Table, w io.Writer) *parquet.GenericWriter[R] {
	if _, ok := t.Row.(R); !ok {
		panic(fmt.Sprintf("schemas: table %s has rows of %T", t.Name, t.Row))
	}
	return parquet.NewGenericWriter[R](w, t.WriterOptions()...)
}

// Open opens a file of t for reading and checks its version.
func (t Table) Open(r io.ReaderAt, size int64) (*parquet.File, error) {
	file, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, fmt.Errorf("open %s file: %w", t.Name, err)
	}
	tag, _ := file.Lookup(MetadataSchema)
	if err := t.Check(tag); err != nil {
		return nil, err
	}
	return file, nil
}

// ReadAll reads every row of a small file of t.
func ReadAll[R any](t Table, r io.ReaderAt, size int64) ([]R, error) {
	file, err := t.Open(r, size)
	if err != nil {
		return nil, err
	}
	reader := parquet.NewGenericReader[R](file)
	defer reader.Close()
	rows := make([]R, reader.NumRows())
	n, err := reader.Read(rows)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s rows: %w", t.Name, err)
	}
	return rows[:n], nil
}
