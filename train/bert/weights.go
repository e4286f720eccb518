package bert

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/train/safetensors"
	"dssdnet/train/torch"
	"dssdnet/train/weights"
)

// WeightsFile is the name of a model's weights in its folder.
const WeightsFile = "model.safetensors"

// New makes an encoder of random numbers as Hugging Face starts one: weights normal, biases zero, norms the identity.
// Its parameters belong to the innermost scope of the session, whose generator they come from.
func New(s *torch.Session, c Config) (*Encoder, error) {
	if err := c.Validate(); err != nil {
		return nil, fault.New(fault.Usage, "encoder: %w", err)
	}
	return build(s, c, func(name string, _ []string, shape ...int) (*torch.Tensor, error) {
		switch {
		case strings.Contains(name, "LayerNorm.weight"):
			return s.Full(1, torch.Float32, shape...), nil
		case strings.HasSuffix(name, ".bias"):
			return s.Zeros(shape...), nil
		}
		return s.Zeros(shape...).Normal(0, c.InitializerRange), nil
	})
}

// Load reads an encoder from a model's folder. Weights of half the precision are widened. Tensors that an encoder
// has no use for, such as a pooler or a classifier, are left alone.
func Load(s *torch.Session, dir string) (*Encoder, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, WeightsFile)
	file, err := safetensors.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Rejected, "%s has no %s: save the model again with safe_serialization=True", dir, WeightsFile)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	w := source{s: s, file: file}
	if err := w.findPrefix(); err != nil {
		return nil, err
	}
	return build(s, c, w.read)
}

// source finds tensors under the names that models have used over the years.
type source struct {
	s      *torch.Session
	file   *safetensors.File
	prefix string // "bert." in a model with heads
}

func (w *source) findPrefix() error {
	const first = "embeddings.word_embeddings.weight"
	var found []string
	for _, name := range w.file.Names() {
		if prefix, ok := strings.CutSuffix(name, first); ok {
			found = append(found, prefix)
		}
	}
	if len(found) != 1 {
		return fault.New(fault.Rejected, "%s has %d tensors named *%s: want one, as a BERT encoder has", w.file.Path(), len(found), first)
	}
	w.prefix = found[0]
	return nil
}

// read makes the parameter of a name, out of several tensors when it is packed.
func (w *source) read(name string, parts []string, shape ...int) (*torch.Tensor, error) {
	if parts == nil {
		return weights.Tensor(w.s, w.file, w.find(name), shape)
	}
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = w.find(part)
	}
	return weights.Join(w.s, w.file, names, shape)
}

// find is the name in the file: checkpoints converted from TensorFlow call the parts of a norm gamma and beta.
func (w *source) find(name string) string {
	old := strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta").Replace(name)
	if _, ok := w.file.Tensor(w.prefix + old); ok {
		return w.prefix + old
	}
	return w.prefix + name
}

// Sources are the parameters to write under Hugging Face's names with a prefix, "bert." or none, as float32.
func (e *Encoder) Sources(prefix string) []safetensors.Source {
	return weights.Sources(e.s, e.params, prefix)
}
