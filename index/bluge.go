package index

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/blugelabs/bluge/index"
	"github.com/blugelabs/bluge/index/mergeplan"
	segment "github.com/blugelabs/bluge_segment_api"
)

// Suffixes of the files of a Bluge index.
const (
	segmentSuffix  = index.ItemKindSegment
	snapshotSuffix = index.ItemKindSnapshot
)

// BlugeConfig is the configuration with which the Bluge index in dir is written and read: segments of ice version
// 1, never merged, the length of a document as the bits of its norm.
func BlugeConfig(dir string) index.Config {
	config := index.DefaultConfig(dir).WithNormCalc(func(_ string, terms int) float32 {
		return math.Float32frombits(uint32(terms))
	})
	config.DirectoryFunc = func() index.Directory {
		return &directory{FileSystemDirectory: index.NewFileSystemDirectory(dir), path: dir}
	}
	// Segments below half of the maximal size are merged, so 0 merges none. A merge would spoil the average lengths
	// that Bluge keeps, which only the tests read, and rewrite what the build before this one shares with it.
	config.MergePlanOptions = mergeplan.DefaultMergePlanOptions
	config.MergePlanOptions.MaxSegmentSize = 0
	config.MinSegmentsForInMemoryMerge = math.MaxInt
	config.PersisterNapUnderNumFiles = 0
	config.NumAnalysisWorkers = 1
	return config
}

// directory reads the files of a Bluge index without locking them: builds share files by hard links, and a lock of
// Bluge's is on the file, not on its name.
type directory struct {
	*index.FileSystemDirectory
	path string
}

func (d *directory) Load(kind string, id uint64) (*segment.Data, io.Closer, error) {
	f, err := os.Open(filepath.Join(d.path, fmt.Sprintf("%012x%s", id, kind)))
	if err != nil {
		return nil, nil, err
	}
	return index.LoadMMapAlways(unlocked{f})
}

func (d *directory) Remove(kind string, id uint64) error {
	return os.Remove(filepath.Join(d.path, fmt.Sprintf("%012x%s", id, kind)))
}

type unlocked struct{ f *os.File }

func (u unlocked) File() *os.File  { return u.f }
func (u unlocked) Exclusive() bool { return false }
func (u unlocked) Close() error    { return u.f.Close() }
