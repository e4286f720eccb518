package merge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	"golang.org/x/sync/errgroup"

	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

const (
	// readRows is how many rows are decoded at a time. Rows can be megabytes long.
	readRows = 16
	// gapRows is how many unwanted rows are read over rather than sought over: seeking starts a page anew.
	gapRows = 32
	// chunkBytes of row groups, before compression, are read by one thread at a time.
	chunkBytes = 32 << 20
)

// gather reads the picked rows of files, each once, into sorted runs.
func (j *job) gather(ctx context.Context, files []documentFile, p *plan) (*runs, error) {
	task := j.Progress.Start("merge: read", p.pickText, progress.Bytes)
	defer task.Done()
	out, err := newRuns(filepath.Join(j.temp, "runs"))
	if err != nil {
		return nil, err
	}
	if err := j.gatherAll(ctx, files, p, out, task); err != nil {
		out.close()
		return nil, err
	}
	j.result.SpillBytes = out.bytes()
	more, err := out.reduce(fanIn)
	if err != nil {
		out.close()
		return nil, err
	}
	j.result.SpillBytes += more
	return out, nil
}

// gatherAll shares the files among the threads by row groups, each thread sorting into runs of its own.
func (j *job) gatherAll(ctx context.Context, files []documentFile, p *plan, out *runs, task progress.Task) error {
	group, reading := errgroup.WithContext(ctx)
	chunks := make(chan chunk)
	group.Go(func() error {
		defer close(chunks)
		return sendChunks(reading, files, p, chunks)
	})
	for range j.Threads {
		group.Go(func() error {
			return sorted(out, j.sortMemory()/int64(j.Threads), func(s *sorter) error {
				for c := range chunks {
					if err := c.read(reading, s, task); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return sorted(out, j.sortMemory(), func(s *sorter) error {
		return p.eachGone(ctx, func(id string) error { return s.add(tombstone(id)) })
	})
}

// sorted writes what fill adds as runs.
func sorted(out *runs, limit int64, fill func(*sorter) error) error {
	s, err := newSorter(out, limit)
	if err != nil {
		return err
	}
	err = fill(s)
	if err == nil {
		err = s.flush()
	}
	return errors.Join(err, s.close())
}

// chunk is the picked rows of consecutive row groups of a file.
type chunk struct {
	file   documentFile
	groups []groupPicks
}

// groupPicks is the picked rows of one row group.
type groupPicks struct {
	group int
	rows  []int64 // from the start of the group, in order
}

// sendChunks sends the picked rows of every file, some row groups at a time.
func sendChunks(ctx context.Context, files []documentFile, p *plan, chunks chan<- chunk) error {
	for i, file := range files {
		picks, err := p.picks(ctx, i)
		if err != nil {
			return fmt.Errorf("plan the merge: %w", err)
		}
		if len(picks) == 0 {
			continue
		}
		split, err := splitByRowGroup(file, picks)
		if err != nil {
			return file.damaged(err)
		}
		for _, c := range split {
			select {
			case chunks <- c:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

func splitByRowGroup(file documentFile, picks []int64) ([]chunk, error) {
	f, documents, err := file.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var split []chunk
	first, size := int64(0), int64(chunkBytes)
	for i, group := range documents.RowGroups() {
		end, n := first+group.NumRows(), 0
		for n < len(picks) && picks[n] < end {
			picks[n] -= first
			n++
		}
		if n > 0 {
			if size >= chunkBytes {
				split, size = append(split, chunk{file: file}), 0
			}
			last := &split[len(split)-1]
			last.groups = append(last.groups, groupPicks{group: i, rows: picks[:n]})
			size += documents.Metadata().RowGroups[i].TotalByteSize
		}
		first, picks = end, picks[n:]
	}
	if len(picks) > 0 {
		return nil, fmt.Errorf("row %d is past its end", picks[0])
	}
	return split, nil
}

// read adds the chunk's rows to the sorter.
func (c chunk) read(ctx context.Context, s *sorter, task progress.Task) error {
	f, documents, err := c.file.open()
	if err != nil {
		return c.file.damaged(err)
	}
	defer f.Close()
	groups := documents.RowGroups()
	for _, picks := range c.groups {
		if err := c.readGroup(ctx, groups[picks.group], picks.rows, s, task); err != nil {
			return err
		}
	}
	return nil
}

func (c chunk) readGroup(ctx context.Context, group parquet.RowGroup, picks []int64, s *sorter, task progress.Task) error {
	rows := parquet.NewGenericRowGroupReader[part](group)
	defer rows.Close()
	buffer := make([]part, readRows)
	at := int64(0) // next row of the reader
	for len(picks) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if picks[0] > at+gapRows {
			at = picks[0]
			if err := rows.SeekToRow(at); err != nil {
				return c.file.damaged(err)
			}
		}
		n, err := rows.Read(buffer)
		if n == 0 {
			return c.file.damaged(errors.Join(err, io.ErrUnexpectedEOF))
		}
		for i := range n {
			if len(picks) > 0 && picks[0] == at+int64(i) {
				picks = picks[1:]
				if err := s.add(&buffer[i]); err != nil {
					return err
				}
				task.Add(buffer[i].textBytes())
			}
		}
		at += int64(n)
		clear(buffer)
	}
	return nil
}

func (file documentFile) open() (*os.File, *parquet.File, error) {
	f, err := os.Open(file.path)
	if err != nil {
		return nil, nil, err
	}
	documents, err := schemas.Documents.Open(f, file.size)
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, documents, nil
}

func (file documentFile) damaged(err error) error {
	return fmt.Errorf("documents file %s cannot be read: %w", file.path, err)
}
