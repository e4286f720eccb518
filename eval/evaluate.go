package eval

import (
	"context"
	"errors"
	"log/slog"

	"dssdnet/eval/measure"
	"dssdnet/eval/trec"
	"dssdnet/index/pool"
	"dssdnet/internal/manifest"
	"dssdnet/internal/progress"
)

// Evaluation is what was measured, topic by topic: what Run writes, compare tests and report draws.
type Evaluation struct {
	Config   Config
	Measures []measure.Measure
	Topics   []Topic // by id
	Runs     []*Scored
	Qrels    trec.QrelsCounts
	Inputs   []manifest.Input // qrels, pool and runs
	library  *library
	pool     *pool.Reader // nil without a pool
}

// Watch sees the ranking of a run before it is let go: run i of the evaluation.
type Watch func(i int, scored *Scored, ranking func(topic int) []trec.Candidate) error

// Evaluate measures every run on every topic. watch may be nil.
func Evaluate(ctx context.Context, c Config, watch Watch) (_ *Evaluation, err error) {
	e, err := Open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	sources, err := c.sources()
	if err != nil {
		return nil, err
	}
	task := progress.Or(c.Progress).Start("eval", int64(len(sources)), "runs")
	defer task.Done()
	for i, s := range sources {
		if err := e.score(ctx, i, s, watch); err != nil {
			return nil, err
		}
		task.Add(1)
	}
	return e, nil
}

// Open is an evaluation that has topics, golds and the pool, and no run yet. Whoever opens it closes it.
func Open(ctx context.Context, c Config) (*Evaluation, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	e := &Evaluation{Config: c, library: newLibrary()}
	var err error
	if e.Measures, err = c.measures(); err != nil {
		return nil, err
	}
	if err := e.load(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// Close closes the pool.
func (e *Evaluation) Close() error {
	if e.pool == nil {
		return nil
	}
	return e.pool.Close()
}

// Score measures a run that is no file. It does not join the runs of the evaluation.
func (e *Evaluation) Score(name string, run *trec.Run) (*Scored, error) {
	scored, _, err := e.measureRun(source{name: name}, run)
	return scored, err
}

func (e *Evaluation) load(ctx context.Context) error {
	if err := e.loadGolds(ctx); err != nil {
		return err
	}
	if err := e.loadTopics(ctx); err != nil {
		return err
	}
	if err := e.loadPatents(ctx); err != nil {
		return err
	}
	return e.loadPool()
}

// score reads and measures one run.
func (e *Evaluation) score(ctx context.Context, i int, s source, watch Watch) error {
	run, err := e.read(ctx, s)
	if err != nil {
		return err
	}
	if s.path != "" {
		e.Inputs = append(e.Inputs, run.Input)
	}
	scored, names, err := e.measureRun(s, run)
	if err != nil {
		return err
	}
	e.Runs = append(e.Runs, scored)
	if watch == nil {
		return nil
	}
	return watch(i, scored, func(topic int) []trec.Candidate { return run.Ranking(names[topic]) })
}

func (e *Evaluation) read(ctx context.Context, s source) (*trec.Run, error) {
	if s.path != "" {
		return trec.ReadRun(ctx, s.path, e.Config.options())
	}
	return trec.FromPool(e.pool, s.name, e.Config.options())
}
