package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dssdnet/index"
	"dssdnet/internal/durable"
	"dssdnet/internal/progress"
)

// cacheBytes bounds the postings that comparing and verifying keep.
const cacheBytes = 64 << 20

// building is the making of one build, from nothing or on a base.
type building struct {
	*run
	files []*sourceFile
	total int64 // patents to write
	worth func(id string) bool
	base  *comparison // nil for a build from nothing
}

// make writes, verifies and publishes the build. m holds what the caller knows of its manifest.
func (b *building) make(ctx context.Context, m index.Manifest) (done index.Manifest, err error) {
	temp, err := durable.TempDir(filepath.Join(b.root, "build"))
	if err != nil {
		return m, fmt.Errorf("make a folder for the new build: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	var known []index.File
	if b.base != nil {
		known = b.base.old.Manifest().Files
		if err := share(filepath.Join(b.root, b.base.old.Name()), temp, known); err != nil {
			return m, err
		}
	}
	expects, err := b.write(ctx, temp)
	if err != nil {
		return m, err
	}
	measured, err := b.verify(ctx, temp, expects)
	if err != nil {
		return m, fmt.Errorf("the new index is not what was written to it, it was dropped: %w", err)
	}
	measured.Deltas, measured.DeltaShare, measured.Started = m.Deltas, m.DeltaShare, b.started.UTC()
	measured.Inputs = b.source.inputs()
	done, err = publish(ctx, b.root, temp, measured, known)
	if err != nil {
		return m, err
	}
	return done, retire(b.root, done.Build, b.Keep)
}

// write brings the Bluge index in the folder temp up to date and says what it must hold.
func (b *building) write(ctx context.Context, temp string) (expects *expected, err error) {
	w, err := newWriter(temp)
	if err != nil {
		return nil, err
	}
	task := progress.Or(b.Progress).Start("index build", b.total, progress.Patents)
	defer task.Done()
	a := newAssembly(b.Config, b.fields, b.source.columns)
	a.w, a.task, a.worth = w, task, b.worth
	if b.base != nil {
		err = w.remove(b.base.replaced())
	}
	if err == nil {
		err = a.write(ctx, b.source, b.files)
	}
	if err = errors.Join(err, w.finish()); err != nil {
		return nil, err
	}
	if b.base != nil {
		err = a.expects.keep(b.base)
	}
	return a.expects, err
}

func (b *building) verify(ctx context.Context, temp string, expects *expected) (m index.Manifest, err error) {
	ix, err := index.Measure(ctx, temp, b.Analyzer, b.fields)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	return ix.Manifest(), expects.verify(ix)
}
