package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/train/bert"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/weights"
)

// The files of a checkpoint besides the encoder's own.
const (
	configFile    = "config.json"
	optimizerFile = "optimizer.safetensors" // mean.* and square.* of every parameter
	generatorFile = "rng_state.bin"
	stateFile     = "trainer_state.json"
	cardFile      = "README.md"

	bestName         = "best"
	checkpointPrefix = "checkpoint-"
	stateVersion     = 1
)

// state is where a run stands.
type state struct {
	Version  int            `json:"version"`
	Step     int            `json:"step"`    // steps taken
	Epoch    int            `json:"epoch"`   // passes finished
	Batches  int            `json:"batches"` // batches taken of the pass under way
	Best     *float64       `json:"best_loss"`
	BestStep int            `json:"best_step"`
	Worse    int            `json:"validations_without_improvement"`
	Early    bool           `json:"stopped_early"`
	Seed     uint64         `json:"seed"`
	Alpha    float64        `json:"alpha"`
	Train    string         `json:"train_sha256"`
	Valid    string         `json:"valid_sha256"`
	Init     *origin        `json:"init,omitempty"` // checkpoint that the run started from
	Settings map[string]any `json:"settings"`       // those that the numbers depend on
}

// save writes a checkpoint to dir/name: whole or not at all. The optimizer and generators go with it when full.
func (r *run) save(name string, full bool) error {
	path := filepath.Join(r.dir, name)
	temp, err := durable.TempDir(path)
	if err != nil {
		return fmt.Errorf("save %s: %w", path, err)
	}
	defer func() { _ = os.RemoveAll(temp) }() // gone already when all went well
	if err := r.fill(temp, full); err != nil {
		return fmt.Errorf("save %s: %w; the checkpoints before it are whole: go on with --resume", path, err)
	}
	return durable.SwapDir(temp, path)
}

func (r *run) fill(dir string, full bool) error {
	config := modelConfig{Config: r.model.Encoder.Config, Architectures: []string{"BertModel"}, Ours: &networkConfig{
		Config: r.Network, MaxTokens: r.MaxTokens, Precision: r.Precision, Alpha: r.state.Alpha,
	}}
	if err := writeJSON(filepath.Join(dir, configFile), config); err != nil {
		return err
	}
	if err := bert.SaveTokenizer(dir, r.model.Tokenizer, r.MaxTokens); err != nil {
		return err
	}
	sources := append(r.model.Encoder.Sources(encoderPrefix), weights.Sources(r.s, r.model.Network.Params(), networkPrefix)...)
	if err := writeTensors(filepath.Join(dir, bert.WeightsFile), sources); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, stateFile), r.state); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(dir, cardFile), r.card()); err != nil {
		return err
	}
	if !full {
		return nil
	}
	mean, square := r.moments()
	if err := writeTensors(filepath.Join(dir, optimizerFile), append(weights.Sources(r.s, mean, "mean."), weights.Sources(r.s, square, "square.")...)); err != nil {
		return err
	}
	generator := r.s.GeneratorState()
	if err := r.s.Err(); err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(dir, generatorFile), generator)
}

// moments are the optimizer's tensors under the names of their parameters.
func (r *run) moments() (mean, square []torch.Param) {
	m, v := r.optimizer.Moments()
	for i, p := range r.model.params() {
		mean = append(mean, torch.Param{Name: p.Name, Value: m[i]})
		square = append(square, torch.Param{Name: p.Name, Value: v[i]})
	}
	return mean, square
}

// restore goes back to a full checkpoint.
func (r *run) restore(dir string) error {
	before := r.state
	data, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return fault.New(fault.Rejected, "resume from %s: %w", dir, err)
	}
	if err := before.fits(s); err != nil {
		return fault.New(fault.Usage, "resume from %s: %w", dir, err)
	}
	s.Settings = before.Settings // the same, but structs still: a checkpoint's bytes do not tell of the resumption
	r.state = s
	file, err := safetensors.Open(filepath.Join(dir, bert.WeightsFile))
	if err != nil {
		return err
	}
	defer file.Close()
	err = errors.Join(
		weights.Restore(r.s, file, encoderPrefix, r.model.Encoder.Params()),
		weights.Restore(r.s, file, networkPrefix, r.model.Network.Params()),
	)
	if err != nil {
		return err
	}
	moments, err := safetensors.Open(filepath.Join(dir, optimizerFile))
	if err != nil {
		return err
	}
	defer moments.Close()
	mean, square := r.moments()
	if err := errors.Join(weights.Restore(r.s, moments, "mean.", mean), weights.Restore(r.s, moments, "square.", square)); err != nil {
		return err
	}
	r.optimizer.Steps = int64(s.Step)
	generator, err := os.ReadFile(filepath.Join(dir, generatorFile))
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	r.s.SetGeneratorState(generator)
	return r.s.Err()
}

// fits says why a run of this state cannot go on from another.
func (s state) fits(old state) error {
	switch {
	case old.Version != stateVersion:
		return fmt.Errorf("it was saved by another version of dssdnet (%d, this one knows %d)", old.Version, stateVersion)
	case old.Train != s.Train || old.Valid != s.Valid:
		return errors.New("the pairs have changed since; give the run another name")
	case old.Seed != s.Seed:
		return fmt.Errorf("it was trained with seed %d, not %d", old.Seed, s.Seed)
	case !s.sameStart(old):
		return errors.New("the checkpoint of --init is not the one that it started from")
	}
	now, then := plain(s.Settings), plain(old.Settings)
	var differ []string
	for key := range now {
		if was, known := then[key]; !known && now[key] == `""` {
			continue // it was saved before there was this setting
		} else if now[key] != was {
			differ = append(differ, fmt.Sprintf("%s was %s and is %s", key, then[key], now[key]))
		}
	}
	if slices.Sort(differ); differ != nil {
		return fmt.Errorf("settings differ: %s", strings.Join(differ, ", "))
	}
	return nil
}

// plain is every setting as JSON text, so that one read from a file compares with one in force: a struct goes through
// a map, whose keys are sorted.
func plain(settings map[string]any) map[string]string {
	out := map[string]string{}
	for key, v := range settings {
		var loose any
		data, err := json.Marshal(v)
		if err == nil && json.Unmarshal(data, &loose) == nil {
			data, err = json.Marshal(loose)
		}
		if err != nil {
			data = []byte("unreadable")
		}
		out[key] = string(data)
	}
	return out
}

// checkpoints are the steps of the checkpoints in dir, newest last.
func checkpoints(dir string) ([]int, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list checkpoints: %w", err)
	}
	var steps []int
	for _, e := range entries {
		if text, ok := strings.CutPrefix(e.Name(), checkpointPrefix); ok && e.IsDir() {
			if n, err := strconv.Atoi(text); err == nil {
				steps = append(steps, n)
			}
		}
	}
	slices.Sort(steps)
	return steps, nil
}

// prune removes all but the newest checkpoints.
func (r *run) prune() error {
	steps, err := checkpoints(r.dir)
	if err != nil {
		return err
	}
	for len(steps) > r.KeepCheckpoints {
		if err := os.RemoveAll(filepath.Join(r.dir, checkpointPrefix+strconv.Itoa(steps[0]))); err != nil {
			return fmt.Errorf("remove an old checkpoint: %w", err)
		}
		steps = steps[1:]
	}
	return nil
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(data, '\n'))
}

func writeTensors(path string, sources []safetensors.Source) error {
	return writeWith(path, func(w io.Writer) error { return safetensors.Write(w, sources, map[string]string{"format": "pt"}) })
}

func writeWith(path string, write func(io.Writer) error) error {
	f, err := durable.Create(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Replace()
}

// card is the README.md of a checkpoint.
func (r *run) card() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "---\ntags: [text-ranking, patents, dssdnet]\npipeline_tag: text-ranking\nlanguage: en\n---\n# %s, run %s\n\n", r.Network.Model, r.Run)
	fmt.Fprintf(&b, "A patent re-ranker: it rates how relevant a patent is as prior art of another, from title and abstract of both.\n\n")
	fmt.Fprintf(&b, "| | |\n|---|---|\n| model | %s |\n| encoder it started from | %s |\n| steps | %d |\n", r.Network.Model, r.Encoder, r.state.Step)
	if o := r.state.Init; o != nil {
		fmt.Fprintf(&b, "| model it went on from | %s, weights %s |\n", o.From, o.SHA256)
	}
	if r.state.Best != nil {
		fmt.Fprintf(&b, "| lowest validation loss | %.6f at step %d |\n", *r.state.Best, r.state.BestStep)
	}
	fmt.Fprintf(&b, "| training pairs | %d, sha256 %s |\n| validation pairs | %d, sha256 %s |\n", r.train.rows, r.train.hash, r.valid.rows, r.valid.hash)
	fmt.Fprintf(&b, "| seed | %d |\n| alpha | %g |\n\n## Settings\n\n| setting | value |\n|---|---|\n", r.state.Seed, r.state.Alpha)
	settings := plain(r.state.Settings)
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&b, "| %s | %s |\n", key, settings[key])
	}
	fmt.Fprintf(&b, "\n## Use\n\n`dssdnet rerank --checkpoint DIR --pool NAME`. The encoder alone loads with transformers: `BertModel.from_pretrained(DIR, add_pooling_layer=False)`.\n")
	return b.Bytes()
}
