package train

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/train/torch"
)

// Run trains a model once for each seed and leaves checkpoints/<run>/.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	library, err := torch.Describe()
	if err != nil {
		return Result{}, err
	}
	lockPath := filepath.Join(c.Workspace.Manifests(), "train."+c.Run+".lock")
	lock, err := durable.TryLock(lockPath, fmt.Sprintf("process %d since %s", os.Getpid(), time.Now().Format(time.DateTime)))
	if errors.Is(err, durable.ErrLocked) {
		return Result{}, fmt.Errorf("another process trains run %s (%s): wait for it", c.Run, durable.LockNote(lockPath))
	}
	if err != nil {
		return Result{}, fmt.Errorf("lock run %s: %w", c.Run, err)
	}
	defer func() { _ = lock.Unlock() }() // it goes with the process at the latest

	j, err := c.prepare(ctx)
	if err != nil {
		return Result{}, err
	}
	if result, ok := j.unchanged(); ok {
		return result, nil
	}
	if err := j.makeRoom(); err != nil {
		return Result{}, err
	}
	result := Result{
		Run: c.Run, Model: c.Network.Model, Device: c.Device, Libtorch: library.Version,
		TrainPairs: j.train.rows, ValidPairs: j.valid.rows, Alpha: j.alpha,
	}
	for _, seed := range j.seeds {
		err := torch.Do(torch.Options{Device: j.device, Threads: c.Threads}, func(s *torch.Session) error {
			result.Threads = s.Threads()
			r := &run{job: j, s: s, dir: c.folder(seed), state: j.beginning(seed)}
			one, err := r.seed(ctx)
			if one.Steps > 0 { // an interrupted one too
				result.Parameters = r.parameters()
				if o := r.state.Init; o != nil {
					result.Init = o.From
				}
				result.Seeds = append(result.Seeds, one)
			}
			return err
		})
		if err != nil {
			return result, fmt.Errorf("train %s, seed %d: %w", c.Run, seed, err)
		}
	}
	result.summarize()
	if len(j.seeds) > 1 {
		if err := writeJSON(filepath.Join(filepath.Dir(c.folder(j.seeds[0])), "summary.json"), result); err != nil {
			return result, err
		}
	}
	return result, j.record(result)
}

// beginning is the state of a seed before its first step.
func (j *job) beginning(seed uint64) state {
	return state{Version: stateVersion, Seed: seed, Alpha: j.alpha, Train: j.train.hash, Valid: j.valid.hash, Init: j.init, Settings: j.identity()}
}

// planned is how many steps an epoch has, and the run when patience lasts.
func (j *job) planned() (perEpoch, total int) {
	batches := (j.train.rows + j.Batch - 1) / j.Batch
	perEpoch = (batches + j.Accumulate - 1) / j.Accumulate
	total = perEpoch * j.Epochs
	if j.MaxSteps > 0 {
		total = min(total, j.MaxSteps)
	}
	return perEpoch, total
}

// run is the training of one seed.
type run struct {
	*job
	s         *torch.Session
	dir       string
	model     *Model
	optimizer *torch.AdamW
	recorder  *recorder
	state     state
}

// seed trains from the start or from the newest checkpoint. With an error, the result says how far it came.
func (r *run) seed(ctx context.Context) (result SeedResult, err error) {
	started := time.Now()
	if err := r.start(ctx); err != nil {
		return result, err
	}
	if r.recorder, err = openRecorder(r.dir, r.state.Step); err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, r.recorder.close()) }()
	pairs, err := r.steps(ctx)
	result = SeedResult{
		Seed: r.state.Seed, Folder: r.dir, Steps: r.state.Step, StoppedEarly: r.state.Early, BestStep: r.state.BestStep,
		Seconds: time.Since(started).Seconds(),
	}
	if r.state.Best != nil {
		result.BestLoss = *r.state.Best
	}
	result.PairsPerSecond = float64(pairs) / result.Seconds
	return result, err
}

// steps trains until epochs, steps or patience are used up, and counts the pairs it learnt from.
func (r *run) steps(ctx context.Context) (pairs int, err error) {
	perEpoch, total := r.planned()
	evalSteps := r.EvalSteps
	if evalSteps == 0 {
		evalSteps = max(1, perEpoch/4)
	}
	checkpointSteps := r.CheckpointSteps
	if checkpointSteps == 0 {
		checkpointSteps = evalSteps
	}

	task := progress.Or(r.Progress).Start("train", int64(total)*int64(r.Batch*r.Accumulate), "pairs")
	defer task.Done()
	task.Add(int64(r.state.Step) * int64(r.Batch*r.Accumulate))
	r.s.SetTraining(true)
	for r.state.Step < total && !r.state.Early {
		feed := startFeed(context.WithoutCancel(ctx), r.train, order{shuffle: true, seed: r.state.Seed, epoch: r.state.Epoch, buffer: r.ShuffleRows},
			r.model.Tokenizer, r.Batch, r.MaxTokens, r.state.Batches)
		ended := false
		for r.state.Step < total && !r.state.Early && ctx.Err() == nil {
			stepStarted := time.Now()
			group := take(feed, r.Accumulate)
			if len(group) == 0 {
				ended = true
				break
			}
			loss, err := r.step(group, total)
			if err != nil {
				feed.close()
				return pairs, err
			}
			n := 0
			for _, b := range group {
				n += len(b.ids)
			}
			r.state.Step++
			r.state.Batches += len(group)
			pairs += n
			task.Add(int64(n))
			task.Gauge("loss", loss.total)
			if err := r.recorder.write(Metric{
				Step: r.state.Step, Epoch: float64(r.state.Step) / float64(perEpoch), Split: splitTrain, Loss: loss.total, Terms: loss.terms,
				LearningRate: r.rate(r.state.Step-1, total), PairsPerSecond: float64(n) / time.Since(stepStarted).Seconds(),
			}); err != nil {
				feed.close()
				return pairs, err
			}
			last := r.state.Step == total
			if r.state.Step%evalSteps == 0 || last {
				if err := r.validation(ctx, perEpoch); err != nil {
					feed.close()
					return pairs, err
				}
			}
			if r.state.Step%checkpointSteps == 0 || last || r.state.Early {
				if err := r.checkpoint(); err != nil {
					feed.close()
					return pairs, err
				}
			}
		}
		feed.close()
		if ctx.Err() != nil {
			return pairs, r.interrupted(ctx)
		}
		if ended {
			if feed.err != nil {
				return pairs, feed.err
			}
			r.state.Epoch, r.state.Batches = r.state.Epoch+1, 0
		}
	}
	return pairs, nil
}

// start makes the model and the optimizer and goes back to the newest checkpoint when asked to.
func (r *run) start(ctx context.Context) error {
	steps, err := checkpoints(r.dir)
	if err != nil {
		return err
	}
	if len(steps) > 0 && !r.Resume {
		return fault.New(fault.Usage, "%s holds a run already: go on with --resume, or give another --run", r.dir)
	}
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return err
	}
	if err := durable.Sweep(r.dir); err != nil {
		return fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	r.s.Seed(r.state.Seed)
	from := r.from(steps)
	if r.model, err = newModel(ctx, r.s, r.job, from); err != nil {
		return err
	}
	if err := r.model.Encoder.Freeze(r.FreezeLayers); err != nil {
		return err
	}
	r.optimizer = torch.NewAdamW(r.s, torch.ParamValues(r.model.params()), r.LearningRate, r.WeightDecay)
	if err := r.s.Err(); err != nil || len(steps) == 0 {
		return err
	}
	return r.restore(filepath.Join(r.dir, checkpointPrefix+strconv.Itoa(steps[len(steps)-1])))
}

// from is the folder whose weights and tokenizer the model is made of, "" for the encoder's. A run that goes on takes
// those of its own checkpoint: what it began with may be gone, or not be current any more.
func (r *run) from(steps []int) string {
	switch {
	case len(steps) > 0 && r.Init != "":
		return filepath.Join(r.dir, checkpointPrefix+strconv.Itoa(steps[len(steps)-1]))
	case r.init != nil:
		r.Log.Info("training starts from a model", "model", r.init.From, "checkpoint", r.init.dir)
		return r.init.dir
	case r.Init != "":
		r.Log.Info("there is no current model yet: training starts from the encoder", "encoder", r.Encoder)
	}
	return ""
}

// collapsed is the spread of scores under which all pairs look the same to the model.
const collapsed = 1e-6

// validation records the losses on the validation pairs and keeps the model when it is the best so far.
func (r *run) validation(ctx context.Context, perEpoch int) error {
	e, err := r.evaluate(ctx)
	if err != nil {
		return err
	}
	if e.spread < collapsed {
		r.Log.Warn("all scores are the same: the model has collapsed", "step", r.state.Step, "deviation", e.spread)
	}
	err = r.recorder.write(Metric{
		Step: r.state.Step, Epoch: float64(r.state.Step) / float64(perEpoch), Split: splitValid, Loss: e.loss, Terms: e.terms, Accuracy: &e.accuracy,
	})
	if err != nil {
		return err
	}
	if r.state.Best == nil || e.loss < *r.state.Best {
		r.state.Best, r.state.BestStep, r.state.Worse = &e.loss, r.state.Step, 0
		return r.save(bestName, false)
	}
	r.state.Worse++
	r.state.Early = r.Patience > 0 && r.state.Worse >= r.Patience
	return nil
}

// checkpoint saves everything that the next step depends on.
func (r *run) checkpoint() error {
	if err := r.save(checkpointPrefix+strconv.Itoa(r.state.Step), true); err != nil {
		return err
	}
	return r.prune()
}

// interrupted saves and says how to go on.
func (r *run) interrupted(ctx context.Context) error {
	if err := r.checkpoint(); err != nil {
		return err
	}
	return fmt.Errorf("stopped after step %d, go on with --resume: %w", r.state.Step, ctx.Err())
}

func (r *run) parameters() int {
	n := 0
	for _, p := range r.model.params() {
		n += p.Value.Len()
	}
	return n
}
