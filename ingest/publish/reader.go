package publish

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"dssdnet/ingest/deadletter"
	"dssdnet/ingest/patentxml"
)

// job is one file of the walk. Its items come in order, however many jobs are read at the same time.
type job struct {
	path  string
	items chan item
}

// item is a document, or the dead letter of what could not be read.
type item struct {
	document document
	letter   *deadletter.Letter
}

// newJob gives the job room for one item, so that a reader can go on to the next file before the item's turn has come.
func newJob(path string) *job { return &job{path, make(chan item, 1)} }

// finder cuts what an unpacker finds in the file of a job into items.
type finder struct {
	ctx    context.Context
	job    *job
	topic  string
	max    int64
	tally  *tally
	cutter *patentxml.Cutter // its buffers serve one stream after the other
}

func (f *finder) stream(path string, r io.Reader) error {
	path = strings.ToValidUTF8(path, "\uFFFD") // it becomes text in a table
	if f.cutter == nil {
		f.cutter = patentxml.NewCutter(nil, f.max)
	}
	f.cutter.Reset(r)
	empty := true
	// The last document waits until the stream has ended well: most archive members hold only one, and with a wrong
	// checksum it must not be published.
	var last *document
	release := func() error {
		if last == nil {
			return nil
		}
		i := item{document: *last}
		last = nil
		return f.put(i)
	}
	for {
		piece, err := f.cutter.Next()
		switch {
		case errors.Is(err, io.EOF):
			if empty {
				f.junk(junkEmpty)
			}
			return release()
		case err != nil:
			if failureOf(err).class == classCorrupt {
				return err
			}
			return cmp.Or(release(), err)
		}
		empty = false
		if err := release(); err != nil {
			return err
		}
		if piece.Root == "" {
			f.junk(junkWithoutRoot)
			continue
		}
		d := newDocument(path, piece)
		last = &d
	}
}

func (f *finder) archive()           { f.tally.archive() }
func (f *finder) junk(reason string) { f.tally.junk(reason) }

func (f *finder) fail(path string, why *failure) error {
	letter := why.letter(f.topic, strings.ToValidUTF8(path, "\uFFFD"))
	return f.put(item{letter: &letter})
}

func (f *finder) put(i item) error {
	select {
	case f.job.items <- i:
		return nil
	case <-f.ctx.Done():
		return f.ctx.Err()
	}
}
