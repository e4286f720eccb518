package consume

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/chain"
	"dssdnet/schemas"
)

// versions knows the newest version of every document in the published files of documents/, whatever topic and
// partition they were made from. It is safe for concurrent use.
//
// The filters in the files would need less memory, 1.3 bytes a document instead of about 40, but each says yes to one
// document in a hundred that it does not have: with a thousand row groups, ten wrong answers for every new document,
// each a read of two columns. One table of all documents answers in a fraction of a microsecond. When it outgrows its
// share of memory it is merged into a sorted file, where a look-up is one read of 4 KB, mostly of the page cache.
type versions struct {
	dir    string // of documents/
	temp   string // folder for the spill
	memory int64  // bytes

	loading sync.Mutex // held by load, so that two owners do not read the same files
	loaded  map[chain.Name]struct{}

	mu      sync.Mutex
	table   table
	spilled *spill
}

func newVersions(dir, temp string, memory int64) *versions {
	return &versions{dir: dir, temp: temp, memory: memory, loaded: make(map[chain.Name]struct{})}
}

// newest returns the newest version of a document that has been added.
func (v *versions) newest(key uint64) (version, bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	found, ok := v.table.get(key)
	if v.spilled == nil {
		return found, ok, nil
	}
	older, spilled, err := v.spilled.get(key)
	if spilled && (!ok || older.order > found.order) {
		return older, true, err
	}
	return found, ok, err
}

func (v *versions) add(each ...version) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, n := range each {
		v.table.put(n)
		if v.table.bytes() > v.memory {
			merged, err := merge(v.temp, &v.table, v.spilled)
			if err != nil {
				return err
			}
			if err := v.spilled.close(); err != nil {
				return err
			}
			v.spilled = merged
		}
	}
	return nil
}

// publish adds the versions of a file that this process has published.
func (v *versions) publish(name chain.Name, each []version) error {
	v.loading.Lock()
	v.loaded[name] = struct{}{}
	v.loading.Unlock()
	return v.add(each...)
}

// load reads the files that other processes have published since the last call, and returns how many rows they have.
func (v *versions) load(ctx context.Context) (rows int64, err error) {
	v.loading.Lock()
	defer v.loading.Unlock()
	names, err := chain.List(v.dir)
	if err != nil {
		return 0, err
	}
	for _, n := range names {
		if _, ok := v.loaded[n]; ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		k, err := v.read(n.Path(v.dir))
		if err != nil {
			return rows, fmt.Errorf("read the documents of %s: %w", n.Path(v.dir), err)
		}
		rows += k
		v.loaded[n] = struct{}{}
	}
	return rows, nil
}

// versionRow is the columns that make a version.
type versionRow struct {
	UCID         string        `parquet:"ucid"`
	DateProduced *schemas.Date `parquet:"date_produced,optional,date"`
	Source       struct {
		Timestamp int64  `parquet:"timestamp,timestamp(microsecond)"`
		SHA256    string `parquet:"sha256"`
	} `parquet:"source"`
}

func (v *versions) read(path string) (int64, error) {
	file, err := schemas.Documents.OpenPath(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	reader := parquet.NewGenericReader[versionRow](file.File)
	defer reader.Close()
	rows, each := make([]versionRow, 512), make([]version, 512)
	for {
		n, err := reader.Read(rows)
		for i, r := range rows[:n] {
			each[i] = versionOf(r.UCID, r.DateProduced, r.Source.Timestamp, r.Source.SHA256)
		}
		if err := v.add(each[:n]...); err != nil {
			return 0, err
		}
		if errors.Is(err, io.EOF) {
			return file.NumRows(), nil
		}
		if err != nil {
			return 0, err
		}
	}
}

func (v *versions) close() error { return v.spilled.close() }
