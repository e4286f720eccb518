package sampler

import (
	"context"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/schemas"
)

// open opens the files of every input.
func (j *job) open() error {
	var err error
	if j.patents, err = openSource(j.Workspace, schemas.Patents.Name, schemas.Patents, "run dssdnet ingest merge"); err != nil {
		return err
	}
	if j.topicRows, err = openSource(j.Workspace, schemas.Topics.Name, schemas.Topics, "run dssdnet ingest topics"); err != nil {
		return err
	}
	if j.qrels, err = openSource(j.Workspace, schemas.Qrels.Name, schemas.Qrels, "run dssdnet ingest qrels"); err != nil {
		return err
	}
	for _, name := range j.Pool {
		pool, err := openSource(j.Workspace, filepath.Join(schemas.Pools.Name, name), schemas.Pools, "run dssdnet index search --pool "+name)
		if err != nil {
			return err
		}
		j.poolRows = append(j.poolRows, pool)
	}
	return nil
}

func (j *job) sources() []*source {
	all := append([]*source{j.patents, j.topicRows, j.qrels}, j.poolRows...)
	return slices.DeleteFunc(all, func(s *source) bool { return s == nil })
}

func (j *job) inputs() ([]manifest.Input, error) {
	var inputs []manifest.Input
	for _, s := range j.sources() {
		if err := s.hash(j.Workspace); err != nil {
			return nil, err
		}
		inputs = append(inputs, s.inputs()...)
	}
	return inputs, nil
}

// read loads what the draws need to know.
func (j *job) read(ctx context.Context) error {
	task := j.Progress.Start("sample: library", j.patents.rows(), progress.Patents)
	defer task.Done()
	var err error
	if j.lib, err = loadLibrary(ctx, j.patents, j.workers(), task); err != nil {
		return err
	}
	if name := j.mix.needsIPC(); name != "" && j.lib.withIPC == 0 {
		return fault.New(fault.Rejected, "--negatives %s compares IPC subclasses, and no patent of the library has one: use random or pool", name)
	}
	if j.store, err = newTextStore(j.temp); err != nil {
		return err
	}
	j.store.slots = make([]uint32, j.lib.len())
	if j.topics, err = loadTopics(ctx, j.topicRows, j.Sets, j.lib, j.store); err != nil {
		return err
	}
	qrelsSets := j.QrelsSets
	if len(qrelsSets) == 0 {
		qrelsSets = setsOf(j.topics)
	}
	if err := loadGolds(ctx, j.qrels, qrelsSets, j.lib, j.topics); err != nil {
		return err
	}
	if j.GroupsOnly {
		for t := range j.topics {
			j.topics[t].declared = test
		}
	}
	assignSides(j.topics, j.lib, j.Seed, j.ValidShare)
	return j.readPools(ctx)
}

func (j *job) readPools(ctx context.Context) error {
	all := &source{}
	for _, pool := range j.poolRows {
		all.files = append(all.files, pool.files...)
	}
	task := j.Progress.Start("sample: pools", all.rows(), progress.Records)
	defer task.Done()
	var err error
	if j.pools, err = readPools(ctx, all, j.temp, j.lib, j.topics, task); err != nil {
		return err
	}
	return j.pools.checkBuild(j.Workspace, j.AllowStalePool, j.Log)
}

// gather fetches the texts of every patent that was drawn or stands in a group.
func (j *job) gather(ctx context.Context) error {
	for _, d := range []*dataset{j.train, j.valid} {
		for _, p := range d.pairs {
			j.store.need(p.doc)
		}
	}
	for patent, needed := range j.grouped {
		if needed {
			j.store.need(uint32(patent))
		}
	}
	task := j.Progress.Start("sample: texts", j.patents.rows(), progress.Patents)
	defer task.Done()
	if err := gatherTexts(ctx, j.patents, j.lib, j.store, j.workers(), task); err != nil {
		return err
	}
	j.count()
	return nil
}

// perTopic calls visit for every topic with its pool, in parallel.
func (j *job) perTopic(ctx context.Context, visit func(number int, t *topic, ranked []uint32) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(j.workers())
	for number := range j.topics {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			ranked, err := j.pools.of(&j.topics[number])
			if err != nil {
				return err
			}
			return visit(number, &j.topics[number], ranked)
		})
	}
	return group.Wait()
}
