package sampler

import (
	"context"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
)

// draw decides which pairs there are and in which order.
func (j *job) draw(ctx context.Context) error {
	task := j.Progress.Start("sample: draw", int64(len(j.topics)), progress.Records)
	defer task.Done()
	byTopic := make([][]pair, len(j.topics))
	if err := j.drawPositives(ctx, byTopic); err != nil {
		return err
	}
	if err := j.drawNegatives(ctx, byTopic, task); err != nil {
		return err
	}
	unitRows := 1 + j.NegativesPerPositive
	j.train = newDataset(j.only(train, byTopic), unitRows, j.topics, j.lib, j.Seed)
	j.valid = newDataset(j.only(valid, byTopic), unitRows, j.topics, j.lib, j.Seed)
	if err := j.drawGroups(); err != nil {
		return err
	}
	return j.verdict()
}

// drawPositives fills byTopic with the positives, and counts the golds.
func (j *job) drawPositives(ctx context.Context, byTopic [][]pair) error {
	left := make([]leftOut, len(j.topics))
	inPool := make([]int64, len(j.topics))
	err := j.perTopic(ctx, func(number int, t *topic, ranked []uint32) error {
		for _, patent := range ranked {
			if t.isGold(patent) {
				inPool[number]++
			}
		}
		if t.side == train || t.side == valid {
			byTopic[number], left[number] = positives(number, t, ranked, j.lib, j.MaxGoldsPerTopic)
		}
		return nil
	})
	if err != nil {
		return err
	}
	counts := &j.result.Counts
	for number := range j.topics {
		t := &j.topics[number]
		switch t.side {
		case test:
			counts.Test.addTopic(t, inPool[number])
		case straddling:
			counts.Straddling++
		default:
			c := j.countsOf(t.side)
			c.addTopic(t, inPool[number])
			c.leave(left[number])
		}
	}
	if j.mix.isDomainBalanced() {
		for _, s := range []side{train, valid} {
			j.countsOf(s).leave(thin(s, byTopic, j.topics, j.lib, j.Seed))
		}
	}
	return nil
}

// drawNegatives puts its negatives behind every positive.
func (j *job) drawNegatives(ctx context.Context, byTopic [][]pair, task progress.Task) error {
	results := make([]drawn, len(j.topics))
	err := j.perTopic(ctx, func(number int, t *topic, ranked []uint32) error {
		defer task.Add(1)
		if len(byTopic[number]) == 0 {
			return nil
		}
		window := ranked[min(j.PoolRankFrom-1, len(ranked)):]
		if j.PoolRankTo > 0 {
			window = ranked[min(j.PoolRankFrom-1, len(ranked)):min(j.PoolRankTo, len(ranked))]
		}
		d := &drawing{lib: j.lib, topic: t, seed: j.Seed, exclude: newExclusion(j.lib, t, j.PriorOnly), window: window}
		results[number] = d.draw(byTopic[number], j.NegativesPerPositive, j.mix, rankOf(ranked))
		return nil
	})
	if err != nil {
		return err
	}
	for number := range j.topics {
		byTopic[number] = results[number].pairs
		if s := j.topics[number].side; s == train || s == valid {
			c := j.countsOf(s)
			c.Fallbacks += results[number].fallbacks
			c.leave(results[number].left)
		}
	}
	return nil
}

// drawGroups lists the test groups, marks the patents in them and counts their rows.
func (j *job) drawGroups() error {
	counts := &j.result.Counts.Test
	j.grouped = make([]bool, j.lib.len())
	for number := range j.topics {
		t := &j.topics[number]
		if t.side != test || t.pool.rows == 0 {
			continue
		}
		rows, err := j.group(number)
		if err != nil {
			return err
		}
		j.groups = append(j.groups, number)
		counts.Groups++
		counts.OwnPatent += int64(t.pool.rows) - int64(len(rows))
		for _, p := range rows {
			counts.Rows++
			counts.add(p)
			if j.grouped[p.doc] = true; !j.lib.text[p.doc] {
				counts.WithoutText++
			}
		}
	}
	return nil
}

// group is the pool of a test topic as rows, in pool order, without the topic's own patent.
func (j *job) group(number int) ([]pair, error) {
	t := &j.topics[number]
	ranked, err := j.pools.of(t)
	if err != nil {
		return nil, err
	}
	rows := make([]pair, 0, len(ranked))
	for i, patent := range ranked {
		if patent == t.own {
			continue
		}
		p := pair{
			topic: uint32(number), doc: patent, rank: int32(i) + 1, source: fromPool, gold: t.isGold(patent),
			domain: j.lib.codes.domainOf(t.codes, j.lib.subclasses(patent)),
		}
		if p.gold {
			p.source = fromGold
		}
		rows = append(rows, p)
	}
	return rows, nil
}

// only are the pairs of the topics of a side.
func (j *job) only(s side, byTopic [][]pair) [][]pair {
	var some [][]pair
	for number := range j.topics {
		if j.topics[number].side == s {
			some = append(some, byTopic[number])
		}
	}
	return some
}

func (j *job) countsOf(s side) *PairCounts {
	if s == valid {
		return &j.result.Counts.Valid
	}
	return &j.result.Counts.Train
}

// verdict refuses a run that would write nothing, or nothing to train on though there are train topics.
func (j *job) verdict() error {
	c := &j.result.Counts
	switch {
	case c.Train.Topics > 0 && len(j.train.pairs) == 0:
		return fault.New(fault.Rejected, "none of the %d train topics has a pair: of %d golds %d are in patents/ and %d in the pools; left out of these: %s",
			c.Train.Topics, c.Train.Golds, c.Train.Golds-c.Train.Unreachable, c.Train.InPool, c.Train.LeftOut)
	case c.Train.Topics == 0 && len(j.valid.pairs) == 0 && len(j.groups) == 0:
		return fault.New(fault.Rejected, "none of the %d topics has a pool in %v: search the pools of these sets (dssdnet index search)", len(j.topics), j.Pool)
	}
	return nil
}

// count completes the counts with what the texts tell.
func (j *job) count() {
	c := &j.result.Counts
	c.Library = LibraryCounts{
		Patents: int64(j.lib.len()), WithoutText: int64(j.lib.len() - len(j.lib.english)), WithoutIPC: int64(j.lib.len() - j.lib.withIPC),
	}
	c.Train.addPairs(j.train, j.topics, j.lib.codes, j.store)
	c.Valid.addPairs(j.valid, j.topics, j.lib.codes, j.store)
	if n := c.Train.Positives + c.Train.Negatives; n > 0 {
		alpha := float64(c.Train.Subclass[0][0]+c.Train.Subclass[1][0]) / float64(n)
		c.Alpha = &alpha
	}
	j.result.Warnings = c.warnings(j.PriorOnly)
	for _, warning := range j.result.Warnings {
		j.Log.Warn(warning)
	}
}
