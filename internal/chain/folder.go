package chain

import (
	"fmt"
	"sync"
	"time"

	"dssdnet/internal/cluster"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// Folder holds the chains of a table whose rows are R. It is safe for concurrent use.
type Folder[R any] struct {
	dir   string
	table schemas.Table

	mu       sync.Mutex
	verified map[Source]Position // how far each chain has been read and found whole
}

// NewFolder names a folder. It touches nothing.
func NewFolder[R any](dir string, table schemas.Table) *Folder[R] {
	return &Folder[R]{dir: dir, table: table, verified: make(map[Source]Position)}
}

// Dir is the folder's path.
func (f *Folder[R]) Dir() string { return f.dir }

// Position is how far a chain reaches.
type Position struct {
	Next     int64     // first offset that no file covers
	LastTime time.Time // of the record before Next; zero when there is none or its time is unknown
	Files    int
}

// Recover reads the chain of a partition and returns where it ends. Files found whole by an earlier call are not read
// again. Every error names the file that is wrong.
func (f *Folder[R]) Recover(s Source) (Position, error) {
	names, err := List(f.dir)
	if err != nil {
		return Position{}, err
	}
	var chain []Name
	for _, n := range names {
		if n.Topic == s.Topic && n.Partition == s.Partition {
			chain = append(chain, n)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.verified[s]
	if len(chain) < at.Files {
		at = Position{} // files have been taken away
	}
	for _, n := range chain[at.Files:] {
		if at, err = f.extend(s, at, n); err != nil {
			return Position{}, err
		}
	}
	f.verified[s] = at
	return at, nil
}

// extend checks that a file goes on where the chain ends.
func (f *Folder[R]) extend(s Source, at Position, n Name) (Position, error) {
	path := n.Path(f.dir)
	if n.First != at.Next {
		return at, f.broken(s, at, n)
	}
	footer, err := ReadFooter(path, f.table)
	if err != nil {
		return at, fmt.Errorf("%w; restore the file, or take it and the later files of partition %d away to have their records read again",
			err, s.Partition)
	}
	if footer.ClusterID != s.ClusterID {
		return at, fault.New(fault.Rejected, "%s was made from the Kafka cluster with id %q, and this is the cluster with id %q: "+
			"their topics %s are not the same; use the workspace with its own cluster, another workspace, or another topic name",
			path, footer.ClusterID, s.ClusterID, s.Topic)
	}
	if footer.Last < n.First {
		return at, fmt.Errorf("%s covers no offset: %s is %d", path, MetaLastOffset, footer.Last)
	}
	return Position{Next: footer.Last + 1, LastTime: footer.LastTime, Files: at.Files + 1}, nil
}

func (f *Folder[R]) broken(s Source, at Position, n Name) error {
	want := Name{s.Topic, s.Partition, at.Next}
	if n.First > at.Next {
		return fmt.Errorf("%s: the file with the offsets %d to %d is missing before it (%s); restore it, or take the later files "+
			"of partition %d away to have their records read again", n.Path(f.dir), at.Next, n.First-1, want, s.Partition)
	}
	return fmt.Errorf("%s: it begins inside the file before it, which reaches to offset %d; take one of the two away",
		n.Path(f.dir), at.Next-1)
}

// Check compares where a chain ends with what the broker holds. The error is a fault.Rejected when the topic cannot be
// the one that the chain was made from.
func (f *Folder[R]) Check(s Source, at Position, holds cluster.Span) error {
	if at.Next > holds.End {
		return fault.New(fault.Rejected, "%s ends at offset %d, but %s has its records up to offset %d: the topic was deleted and made again, "+
			"or the broker lost its log; move the files %s-%05d-*.parquet out of %s to begin anew, or use another topic name",
			s, holds.End-1, f.dir, at.Next-1, s.Topic, s.Partition, f.dir)
	}
	return nil
}
