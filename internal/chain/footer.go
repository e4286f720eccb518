package chain

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"dssdnet/schemas"
)

// Keys of the metadata in a file's footer. All values are decimal numbers or plain text.
const (
	MetaClusterID   = "kafka.cluster_id"
	MetaFirstOffset = "kafka.first_offset"
	MetaLastOffset  = "kafka.last_offset"
	// MetaLastTime is the time of the record at the last offset in milliseconds since 1970. A record of another time
	// at that offset means that the topic was deleted and made again.
	MetaLastTime = "kafka.last_timestamp"
)

// Footer is what a file says of itself.
type Footer struct {
	ClusterID string
	Last      int64     // offset
	LastTime  time.Time // zero when unknown
	Rows      int64
	Metadata  map[string]string // what was given to Publish as End.Metadata
}

// ReadFooter opens a file of a chain and reads what it says of itself. The error names the file.
func ReadFooter(path string, table schemas.Table) (Footer, error) {
	f, err := os.Open(path)
	if err != nil {
		return Footer{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Footer{}, err
	}
	file, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return Footer{}, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	tag, _ := file.Lookup(schemas.MetadataSchema)
	if err := table.Check(tag); err != nil {
		return Footer{}, fmt.Errorf("%s: %w", path, err)
	}
	last, err := number(file, MetaLastOffset)
	if err != nil {
		return Footer{}, fmt.Errorf("%s: %w", path, err)
	}
	footer := Footer{Last: last, Rows: file.NumRows(), Metadata: make(map[string]string)}
	for _, entry := range file.Metadata().KeyValueMetadata {
		if !ours(entry.Key) {
			footer.Metadata[entry.Key] = entry.Value
		}
	}
	footer.ClusterID, _ = file.Lookup(MetaClusterID)
	if ms, err := number(file, MetaLastTime); err == nil {
		footer.LastTime = time.UnixMilli(ms).UTC()
	}
	return footer, nil
}

func ours(key string) bool {
	switch key {
	case MetaClusterID, MetaFirstOffset, MetaLastOffset, MetaLastTime, schemas.MetadataSchema:
		return true
	}
	return false
}

func number(file *parquet.File, key string) (int64, error) {
	text, ok := file.Lookup(key)
	if !ok {
		return 0, fmt.Errorf("its metadata has no %s", key)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("its metadata has %s = %q, which is no number", key, text)
	}
	return n, nil
}
