package pool

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Reader reads the pools of topics, in any order. It is not safe for concurrent use.
type Reader struct {
	dir    string
	files  []*poolFile
	topics []span
	byID   map[string]int
}

type poolFile struct {
	f    *schemas.File
	rows *parquet.GenericReader[schemas.Pool]
}

// span is where the candidates of a topic are.
type span struct {
	topic      string
	file       int
	start, end int64
}

// Open opens the pool in dir. It reads all rows once to find where topics begin, and keeps that: about 100 bytes a
// topic.
func Open(dir string) (r *Reader, err error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fault.New(fault.Rejected, "there is no pool in %s: make it with dssdnet index search", dir)
	}
	r = &Reader{dir: dir, byID: make(map[string]int)}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	for _, path := range paths {
		if err := r.open(path); err != nil {
			return r, fmt.Errorf("pool file %s: %w", path, err)
		}
	}
	return r, nil
}

func (r *Reader) open(path string) error {
	f, err := schemas.Pools.OpenPath(path)
	if err != nil {
		return err
	}
	r.files = append(r.files, &poolFile{f: f, rows: parquet.NewGenericReader[schemas.Pool](f.File)})
	return r.find(len(r.files) - 1)
}

// find notes where the topics of a file are.
func (r *Reader) find(file int) error {
	var at int64
	buf := make([]schemas.Pool, 1024)
	for {
		n, err := r.files[file].rows.Read(buf)
		for _, row := range buf[:n] {
			last := len(r.topics) - 1
			if last < 0 || r.topics[last].topic != row.TopicID || r.topics[last].file != file {
				if _, twice := r.byID[row.TopicID]; twice {
					return fmt.Errorf("the candidates of topic %s do not follow each other", row.TopicID)
				}
				r.byID[row.TopicID] = len(r.topics)
				r.topics = append(r.topics, span{topic: row.TopicID, file: file, start: at, end: at})
				last++
			}
			at++
			r.topics[last].end = at
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// Topics are the ids of the topics with candidates, in the order of the files.
func (r *Reader) Topics() []string {
	ids := make([]string, len(r.topics))
	for i, s := range r.topics {
		ids[i] = s.topic
	}
	return ids
}

// Topic returns the candidates of a topic, best first; none for a topic without.
func (r *Reader) Topic(id string) ([]schemas.Pool, error) {
	at, ok := r.byID[id]
	if !ok {
		return nil, nil
	}
	s := r.topics[at]
	rows := r.files[s.file].rows
	if err := rows.SeekToRow(s.start); err != nil {
		return nil, fmt.Errorf("pool %s, topic %s: %w", r.dir, id, err)
	}
	candidates := make([]schemas.Pool, s.end-s.start)
	for done := 0; done < len(candidates); {
		n, err := rows.Read(candidates[done:])
		if done += n; err != nil && (!errors.Is(err, io.EOF) || done < len(candidates)) {
			return nil, fmt.Errorf("pool %s, topic %s: %w", r.dir, id, err)
		}
	}
	return candidates, nil
}

// Close closes the files.
func (r *Reader) Close() error {
	var err error
	for _, pf := range r.files {
		err = errors.Join(err, pf.rows.Close(), pf.f.Close())
	}
	return err
}
