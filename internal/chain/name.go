package chain

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Source is one partition of a topic.
type Source struct {
	ClusterID string // files of another cluster's topic of the same name are refused
	Topic     string
	Partition int
}

func (s Source) String() string { return fmt.Sprintf("topic %s, partition %d", s.Topic, s.Partition) }

// Name says what a file of a chain holds.
type Name struct {
	Topic     string
	Partition int
	First     int64 // offset
}

func (n Name) String() string {
	return fmt.Sprintf("%s-%05d-%020d.parquet", n.Topic, n.Partition, n.First)
}

var nameForm = regexp.MustCompile(`^(.+)-(\d{5,10})-(\d{20})\.parquet$`)

// ParseName reads the name of a file without its folder. ok is false when it is no file of a chain, or an unfinished one.
func ParseName(file string) (n Name, ok bool) {
	m := nameForm.FindStringSubmatch(file)
	if m == nil || strings.HasPrefix(file, tempPrefix) {
		return Name{}, false
	}
	partition, err := strconv.ParseInt(m[2], 10, 32)
	if err != nil {
		return Name{}, false
	}
	first, err := strconv.ParseInt(m[3], 10, 64)
	if err != nil {
		return Name{}, false
	}
	n = Name{Topic: m[1], Partition: int(partition), First: first}
	return n, n.String() == file
}

// List returns the names of all chains' files in a folder, by topic, partition and offset. A folder that does not
// exist has none.
func List(dir string) ([]Name, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []Name
	for _, e := range entries {
		if n, ok := ParseName(e.Name()); ok {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.First, b.First))
	})
	return names, nil
}

// Path is where a file lies in a folder.
func (n Name) Path(dir string) string { return filepath.Join(dir, n.String()) }
