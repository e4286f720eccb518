package rerank

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
	"dssdnet/train"
	"dssdnet/train/torch"
	"dssdnet/train/wordpiece"
)

// Run scores the topics of the shard.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	device, err := torch.ParseDevice(c.Device)
	if err != nil {
		return Result{}, err
	}
	j, err := c.begin()
	if err != nil {
		return Result{}, err
	}
	if result, ok := c.finished(j.identity); ok {
		return result, nil
	}
	var result Result
	err = torch.Do(torch.Options{Device: device, Threads: c.Threads}, func(s *torch.Session) error {
		m, err := train.Open(s, j.Checkpoint)
		if err != nil {
			return err
		}
		s.SetTraining(false)
		result, err = j.run(ctx, m.Tokenizer, m.MaxTokens, &model{Model: m, s: s, bfloat16: c.Precision == bfloat16Name})
		return err
	})
	if err != nil {
		return result, fmt.Errorf("re-rank %s with %s: %w", c.Pairs, j.Checkpoint, err)
	}
	return result, nil
}

// job is one run.
type job struct {
	Config
	shard    shard
	groups   groups
	model    string // version, when the checkpoint is that of the current model
	identity Identity
	started  time.Time
}

func (c Config) begin() (*job, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	j := &job{Config: c, started: time.Now()}
	var err error
	if j.Checkpoint, j.model, err = c.checkpoint(); err != nil {
		return nil, err
	}
	if j.shard, err = c.shard(); err != nil {
		return nil, err
	}
	if j.groups, err = findGroups(c.pairsDir()); err != nil {
		return nil, err
	}
	j.identity = Identity{Tool: manifest.Tool, Precision: c.Precision, BatchTokens: c.BatchTokens, Window: c.Window, Depth: c.Depth, Shards: j.shard.of}
	for _, path := range append(slices.Clone(j.groups.paths), filepath.Join(c.pairsDir(), "texts.arrow")) {
		input, err := manifest.HashInput(path)
		if err != nil {
			return nil, fault.New(fault.Rejected, "the test groups of %s are not whole: %w: run dssdnet sample --force", c.pairsDir(), err)
		}
		input.Path = filepath.Base(path)
		j.identity.Groups = append(j.identity.Groups, input)
	}
	for _, name := range []string{"config.json", "model.safetensors", "vocab.txt"} {
		input, err := manifest.HashInput(filepath.Join(j.Checkpoint, name))
		if err != nil {
			return nil, fault.New(fault.Usage, "--checkpoint %s is no checkpoint of dssdnet train: %w", j.Checkpoint, err)
		}
		input.Path = name
		j.identity.Checkpoint = append(j.identity.Checkpoint, input)
	}
	return j, nil
}

// run scores what is not scored yet and, when nothing is missing, puts the run together.
func (j *job) run(ctx context.Context, tokenizer *wordpiece.Tokenizer, maxTokens int, m scorer) (Result, error) {
	result := Result{Run: j.Run, File: j.runFile(), Model: j.model}
	release, err := j.claim(j.identity)
	if err != nil {
		return result, err
	}
	defer release()
	plan, err := j.plan(ctx)
	if err != nil {
		return result, err
	}
	result.Topics, result.ResumedTopics = plan.topics, plan.done
	task := progress.Or(j.Progress).Start("rerank", int64(plan.pairs), "pairs")
	defer task.Done()
	if len(plan.todo) > 0 {
		x := newTexts(tokenizer, maxTokens)
		if err := x.load(ctx, j.pairsDir(), tokenizer, plan.patents); err != nil {
			return result, err
		}
		scoring := time.Now()
		if err := j.scoreAll(ctx, plan, x, m, &result, task); err != nil {
			return result, err
		}
		result.PairsPerSecond = float64(result.Scored) / time.Since(scoring).Seconds()
	}
	result.Seconds = time.Since(j.started).Seconds()
	if n := j.missing(plan.firsts); n > 0 {
		j.Log.Info("the run is not whole yet: other shards have parts to make", "run", j.Run, "parts", n)
		return result, nil
	}
	result.Complete = true
	return result, j.assemble(plan.firsts, Note{Identity: j.identity, Pairs: j.Pairs, Result: result})
}

// plan is which windows there are, and which of them this process has to score.
type plan struct {
	firsts       []int           // first topic of every window of every shard
	todo         map[int]bool    // first topics of the windows to score
	windowOf     map[int]int     // topic to score → first topic of its window
	patents      map[string]bool // that the windows to score need
	topics, done int
	pairs        int
}

// window is the first topic of a topic's window: topics go round the shards, and each shard takes Window of its own.
func (j *job) window(number int) int {
	shard, place := number%j.shard.of, number/j.shard.of
	return place/j.Window*j.Window*j.shard.of + shard
}

func (j *job) plan(ctx context.Context) (*plan, error) {
	p := &plan{todo: map[int]bool{}, windowOf: map[int]int{}, patents: map[string]bool{}}
	known := map[int]bool{} // windows of this shard → still to score
	err := j.groups.each(ctx, func(g *group) error {
		first := j.window(g.number)
		if first == g.number {
			p.firsts = append(p.firsts, first)
		}
		if g.number%j.shard.of != j.shard.number {
			return nil
		}
		p.topics++
		todo, seen := known[first]
		if !seen {
			todo = j.missing([]int{first}) > 0
			known[first] = todo
		}
		if !todo {
			p.done++
			return nil
		}
		p.todo[first], p.windowOf[g.number] = true, first
		p.pairs += len(g.rows)
		for _, row := range j.shallow(g.rows) {
			p.patents[row.patent] = true
		}
		return nil
	})
	return p, err
}

// scoreAll takes the windows one after the other.
func (j *job) scoreAll(ctx context.Context, p *plan, x *texts, m scorer, result *Result, task progress.Task) error {
	var window []*group
	first := -1
	flush := func() error {
		if len(window) == 0 {
			return nil
		}
		text, err := j.scoreWindow(ctx, window, x, m, result, task)
		if err != nil {
			return err
		}
		window = window[:0]
		return durable.WriteFile(j.partFile(first), text)
	}
	err := j.groups.each(ctx, func(g *group) error {
		of, ok := p.windowOf[g.number]
		if !ok {
			return nil
		}
		if of != first {
			if err := flush(); err != nil {
				return err
			}
			first = of
		}
		window = append(window, g)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// scoreWindow scores a window and returns its lines of the run.
func (j *job) scoreWindow(ctx context.Context, window []*group, x *texts, m scorer, result *Result, task progress.Task) ([]byte, error) {
	rows := make([][]scoredRow, len(window))
	for g, one := range window {
		result.Rows += len(one.rows)
		for _, row := range one.rows {
			rows[g] = append(rows[g], scoredRow{candidate: row})
		}
		if _, ok := x.topics[one.topic]; !ok {
			result.TopicsWithout++
		}
	}
	pairs := x.pairsOf(window, j.shallow)
	result.Scored += len(pairs)
	for _, batch := range batches(pairs, j.BatchTokens) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("stopped; the windows before are saved, run the same command again to go on: %w", err)
		}
		in := x.matrix(batch)
		scores, err := m.score(in)
		if err != nil {
			return nil, err
		}
		for i, p := range batch {
			rows[p.group][p.row].score, rows[p.group][p.row].scored = scores[i], true
			result.Tokens += p.length()
		}
		result.Batches++
		result.PaddedTokens += in.rows * in.length
		task.Add(int64(len(batch)))
	}
	var text []byte
	for g, one := range window {
		unscored, behind := 0, len(one.rows)-len(j.shallow(one.rows))
		for _, row := range rows[g] {
			unscored += 1 - boolean(row.scored)
		}
		result.WithoutText += unscored - behind
		result.BehindDepth += behind
		rank(rows[g])
		if scored := len(rows[g]) - unscored; scored > 1 && rows[g][0].score == rows[g][scored-1].score {
			result.EqualScores++
			j.Log.Warn("all candidates of a topic have the same score: the model has collapsed", "topic", one.topic)
		}
		task.Add(int64(unscored))
		var err error
		if text, err = appendLines(text, one.topic, rows[g], j.Run); err != nil {
			return nil, err
		}
	}
	return text, nil
}
