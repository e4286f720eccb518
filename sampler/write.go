package sampler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/schemas/arrowfile"
)

// Names of the files.
const (
	textsName = "texts.arrow"
	shardName = "%s-%05d.arrow" // split, number from 0
)

// Bytes of a row besides its texts, about: what shards are cut by.
const rowBytes = 64

// write writes every file, a worker to a file. Which rows a file has is decided before, so the number of workers
// leaves no trace.
func (j *job) write(ctx context.Context, inputs []manifest.Input) error {
	rows := int64(len(j.train.pairs)+len(j.valid.pairs)) + j.result.Counts.Test.Rows
	task := j.Progress.Start("sample: write", rows, progress.Records)
	defer task.Done()
	files, ctx := errgroup.WithContext(ctx)
	files.SetLimit(j.workers())
	for _, d := range []struct {
		side side
		*dataset
	}{{train, j.train}, {valid, j.valid}} {
		options, err := j.options(d.side, inputs)
		if err != nil {
			return err
		}
		batches := d.batches(j.BatchRows)
		for n, shard := range shards(batches, int64(j.ShardBytes), func(s span) int64 { return j.pairBytes(d.dataset, s) }) {
			path := filepath.Join(j.newDir(), fmt.Sprintf(shardName, d.side, n))
			files.Go(func() error { return j.writePairs(ctx, path, d.dataset, batches[shard.from:shard.to], options, task) })
		}
		if j.Format == FormatJSONL && len(d.pairs) > 0 {
			j.exports(ctx, files, d.side, d.dataset)
		}
	}
	if len(j.groups) > 0 {
		options, err := j.options(test, inputs)
		if err != nil {
			return err
		}
		topics := cut(len(j.groups), func(int, int) bool { return true })
		for n, shard := range shards(topics, int64(j.ShardBytes), j.groupBytes) {
			path := filepath.Join(j.newDir(), fmt.Sprintf(shardName, test, n))
			files.Go(func() error { return j.writeGroups(ctx, path, j.groups[shard.from:shard.to], options, task) })
		}
		files.Go(func() error { return j.writeTexts(ctx, filepath.Join(j.newDir(), textsName), options) })
	}
	return files.Wait()
}

func (j *job) options(split side, inputs []manifest.Input) (arrowfile.Options, error) {
	metadata, err := j.metadata(split, inputs)
	return arrowfile.Options{Compression: j.Compression, Metadata: metadata}, err
}

// pairBytes is about the size of the units of a span.
func (j *job) pairBytes(d *dataset, s span) int64 {
	var n int64
	for place := s.from; place < s.to; place++ {
		for _, p := range d.unit(place) {
			n += rowBytes + j.store.topics[p.topic].bytes() + j.store.doc(p.doc).bytes()
		}
	}
	return n
}

// groupBytes is about the size of the groups of a span of groups.
func (j *job) groupBytes(s span) int64 {
	var n int64
	for _, number := range j.groups[s.from:s.to] {
		n += rowBytes * int64(j.topics[number].pool.rows)
	}
	return n
}

// writePairs writes a file of train or valid.
func (j *job) writePairs(ctx context.Context, path string, d *dataset, batches []span, o arrowfile.Options, task progress.Task) error {
	w, err := arrowfile.Create(path, arrowfile.Pairs, o)
	if err != nil {
		return err
	}
	for _, batch := range batches {
		if err := j.appendPairs(ctx, w, d, batch); err != nil {
			w.Abort()
			return err
		}
		task.Add(int64(batch.to-batch.from) * int64(d.unitRows))
	}
	return w.Close()
}

// appendPairs writes a record batch.
func (j *job) appendPairs(ctx context.Context, w *arrowfile.Writer[arrowfile.Pair], d *dataset, batch span) error {
	for place := batch.from; place < batch.to; place++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := j.unitRows(d.unit(place), w.Append)
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// unitRows calls visit with the rows of a unit.
func (j *job) unitRows(unit []pair, visit func(*arrowfile.Pair) error) error {
	var row arrowfile.Pair
	var err error
	if row.QueryTitle, row.QueryAbstract, err = j.store.read(j.store.topics[unit[0].topic]); err != nil {
		return err
	}
	for _, p := range unit {
		row.Judged = p.judged(&j.topics[p.topic], j.lib)
		if row.DocTitle, row.DocAbstract, err = j.store.read(j.store.doc(p.doc)); err != nil {
			return err
		}
		if err := visit(&row); err != nil {
			return err
		}
	}
	return nil
}

// writeGroups writes a file of test: a record batch is the whole pool of a topic.
func (j *job) writeGroups(ctx context.Context, path string, groups []int, o arrowfile.Options, task progress.Task) error {
	w, err := arrowfile.Create(path, arrowfile.Groups, o)
	if err != nil {
		return err
	}
	for _, number := range groups {
		if err := j.appendGroup(ctx, w, number, task); err != nil {
			w.Abort()
			return err
		}
	}
	return w.Close()
}

func (j *job) appendGroup(ctx context.Context, w *arrowfile.Writer[arrowfile.Judged], number int, task progress.Task) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	rows, err := j.group(number)
	if err != nil {
		return err
	}
	for _, p := range rows {
		row := p.judged(&j.topics[number], j.lib)
		if err := w.Append(&row); err != nil {
			return err
		}
	}
	task.Add(int64(len(rows)))
	return w.Flush()
}

// writeTexts writes the texts of the groups: the topics in the order of their ids, then the patents in theirs.
func (j *job) writeTexts(ctx context.Context, path string, o arrowfile.Options) error {
	w, err := arrowfile.Create(path, arrowfile.Texts, o)
	if err != nil {
		return err
	}
	if err := j.appendTexts(ctx, w); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

func (j *job) appendTexts(ctx context.Context, w *arrowfile.Writer[arrowfile.Text]) error {
	pending := 0
	add := func(kind, id string, ref textRef) error {
		title, abstract, err := j.store.read(ref)
		if err != nil {
			return err
		}
		if err := w.Append(&arrowfile.Text{Kind: kind, ID: id, Title: title, Abstract: abstract}); err != nil {
			return err
		}
		if pending++; pending%j.BatchRows != 0 {
			return nil
		}
		return errors.Join(ctx.Err(), w.Flush())
	}
	for _, number := range j.groups {
		if err := add(arrowfile.KindTopic, j.topics[number].id, j.store.topics[number]); err != nil {
			return err
		}
	}
	for patent, needed := range j.grouped {
		if !needed {
			continue
		}
		if err := add(arrowfile.KindPatent, j.lib.id(uint32(patent)), j.store.doc(uint32(patent))); err != nil {
			return err
		}
	}
	return nil
}
