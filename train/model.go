package train

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
	"dssdnet/schemas/arrowfile"
	"dssdnet/train/bert"
	"dssdnet/train/dssd"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/weights"
	"dssdnet/train/wordpiece"
)

const (
	tinyVocab = 8000 // tokens that a tiny encoder's vocabulary has at most

	encoderPrefix = "bert."
	networkPrefix = "dssd."
)

// Model is an encoder with its tokenizer and the network above it, in a session.
type Model struct {
	Tokenizer *wordpiece.Tokenizer
	Encoder   *bert.Encoder
	Network   *dssd.Model
	MaxTokens int // of a pair
	s         *torch.Session
	precision string
}

// modelConfig is the config.json of a checkpoint: the encoder's, with ours beside it.
type modelConfig struct {
	bert.Config
	Architectures []string       `json:"architectures"`
	Ours          *networkConfig `json:"dssdnet,omitempty"`
}

type networkConfig struct {
	dssd.Config
	MaxTokens int     `json:"max_tokens"`
	Precision string  `json:"precision"`
	Alpha     float64 `json:"alpha"`
}

// newModel starts from a checkpoint's folder or, without one, from the encoder of the settings and a random network.
func newModel(ctx context.Context, s *torch.Session, j *job, from string) (*Model, error) {
	c := j.Config
	m := &Model{s: s, MaxTokens: c.MaxTokens, precision: c.Precision}
	var err error
	if from != "" {
		m, err = modelFrom(s, c, from)
	} else if c.Encoder == Tiny {
		var vocab wordpiece.Vocab
		if vocab, err = learnVocab(ctx, j.train); err != nil {
			return nil, err
		}
		if m.Tokenizer, err = wordpiece.New(vocab, wordpiece.Options{}); err != nil {
			return nil, err
		}
		m.Encoder, err = bert.New(s, bert.Tiny(len(vocab)))
	} else if m.Encoder, err = bert.Load(s, j.encoder); err == nil {
		m.Tokenizer, err = bert.LoadTokenizer(j.encoder, m.Encoder.Config)
	}
	if err != nil {
		return nil, err
	}
	if m.MaxTokens > m.Encoder.Config.MaxPositions {
		return nil, fault.New(fault.Usage, "--max-tokens %d: the encoder %s knows %d positions", m.MaxTokens, cmp.Or(from, c.Encoder), m.Encoder.Config.MaxPositions)
	}
	if from != "" {
		return m, nil
	}
	m.Network, err = dssd.New(s, c.Network, m.Encoder.Config.HiddenSize)
	return m, err
}

// learnVocab learns on the texts of the training pairs, in the order of the files.
func learnVocab(ctx context.Context, d *dataset) (wordpiece.Vocab, error) {
	var failed error
	var texts iter.Seq[string] = func(yield func(string) bool) {
		failed = d.pass(ctx, order{}, func(p arrowfile.Pair) error {
			for _, text := range []string{joined(p.QueryTitle, p.QueryAbstract), joined(p.DocTitle, p.DocAbstract)} {
				if !yield(text) {
					return context.Canceled
				}
			}
			return nil
		})
	}
	vocab, err := wordpiece.Learn(texts, tinyVocab, wordpiece.Options{})
	if failed != nil {
		return nil, fmt.Errorf("learn a vocabulary: %w", failed)
	}
	return vocab, err
}

// Open loads a checkpoint's model. Its parameters belong to the session's innermost scope.
func Open(s *torch.Session, dir string) (*Model, error) {
	path := filepath.Join(dir, configFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the checkpoint: %w", err)
	}
	var c modelConfig
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, fault.New(fault.Rejected, "%s: %w", path, err)
	}
	if c.Ours == nil {
		return nil, fault.New(fault.Rejected, "%s has no part \"dssdnet\": it is an encoder, not a checkpoint of dssdnet train", path)
	}
	return load(s, dir, *c.Ours)
}

// load reads a checkpoint's encoder, tokenizer and weights into a network of the given settings.
func load(s *torch.Session, dir string, c networkConfig) (*Model, error) {
	m := &Model{s: s, MaxTokens: c.MaxTokens, precision: c.Precision}
	var err error
	if m.Encoder, err = bert.Load(s, dir); err != nil {
		return nil, err
	}
	if m.Tokenizer, err = bert.LoadTokenizer(dir, m.Encoder.Config); err != nil {
		return nil, err
	}
	if m.Network, err = dssd.New(s, c.Config, m.Encoder.Config.HiddenSize); err != nil {
		return nil, fault.New(fault.Rejected, "%s: %w", filepath.Join(dir, configFile), err)
	}
	file, err := safetensors.Open(filepath.Join(dir, bert.WeightsFile))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return m, weights.Restore(s, file, networkPrefix, m.Network.Params())
}

// params are the encoder's parameters, then the network's.
func (m *Model) params() []torch.Param {
	return append(append([]torch.Param(nil), m.Encoder.Params()...), m.Network.Params()...)
}

// forward keeps its result in the scope it is called from.
func (m *Model) forward(tokens wordpiece.Batch, domain *torch.Tensor) (dssd.Output, error) {
	var out dssd.Output
	run := func() error {
		in := bert.NewInput(m.s, tokens.IDs, tokens.Types, tokens.Mask, tokens.Rows, tokens.Length)
		out = m.Network.Forward(m.Encoder.First(in), domain)
		m.s.Keep(out.Tensors()...)
		return nil
	}
	if m.precision == "bfloat16" {
		return out, m.s.Autocast(torch.BFloat16, run)
	}
	return out, m.s.Scope(run)
}

// Scores rates pairs of texts: the higher, the more relevant. domain is t of formula (4) for each pair. The session
// must not be training.
func (m *Model) Scores(pairs []wordpiece.Pair, domain []int8) ([]float32, error) {
	var scores []float32
	err := m.s.NoGrad(func() error {
		t := make([]float32, len(domain))
		for i, d := range domain {
			t[i] = float32(d)
		}
		out, err := m.forward(m.Tokenizer.Pairs(pairs, m.MaxTokens, 0), torch.Of(m.s, t, len(t)))
		if err != nil {
			return err
		}
		scores = torch.Values[float32](out.Score)
		return nil
	})
	return scores, err
}
