package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// Registry reads the models of a workspace. To change them, take its lock: [Registry.Lock].
type Registry struct{ ws workspace.Dir }

// Open is the registry of a workspace, which may have no models yet.
func Open(ws workspace.Dir) Registry { return Registry{ws} }

// number reads the version v<n>.
func number(version string) (int, bool) {
	text, ok := strings.CutPrefix(version, "v")
	n, err := strconv.Atoi(text)
	return n, ok && err == nil && n > 0 && version == fmt.Sprintf("v%d", n)
}

// versions are the numbers of the folders there are, ascending.
func (r Registry) versions() ([]int, error) {
	entries, err := os.ReadDir(r.ws.Models())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the models: %w", err)
	}
	var all []int
	for _, e := range entries {
		if n, ok := number(e.Name()); ok && e.IsDir() {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, nil
}

func (r Registry) modelFile(version string) string {
	return filepath.Join(r.ws.Models(), version, "model.json")
}

// List returns all versions, oldest first. One that cannot be read is among them, with its Damage.
func (r Registry) List() ([]Model, error) {
	numbers, err := r.versions()
	if err != nil {
		return nil, err
	}
	var all []Model
	for _, n := range numbers {
		version := fmt.Sprintf("v%d", n)
		m, err := readModel(r.modelFile(version))
		if err != nil {
			m = Model{Version: version, Damage: err.Error()}
		}
		all = append(all, m)
	}
	return all, nil
}

// Current is the version that the link points to, "" when there is none.
func (r Registry) Current() (string, error) { return r.ws.CurrentModel() }

// Get returns a version by its name, or the current one by the name current.
func (r Registry) Get(version string) (Model, error) {
	if version == workspace.Current {
		current, err := r.ws.CurrentModel()
		if err != nil {
			return Model{}, err
		}
		if current == "" {
			return Model{}, fault.New(fault.Usage, "there is no current model in %s", r.ws.Models())
		}
		version = current
	}
	if _, ok := number(version); ok {
		m, err := readModel(r.modelFile(version))
		if !errors.Is(err, fs.ErrNotExist) {
			return m, err
		}
	}
	return Model{}, r.unknown(version)
}

// unknown says which versions there are.
func (r Registry) unknown(version string) error {
	numbers, err := r.versions()
	if err != nil {
		return err
	}
	if len(numbers) == 0 {
		return fault.New(fault.Usage, "there is no model %s: %s holds none yet", version, r.ws.Models())
	}
	return fault.New(fault.Usage, "there is no model %s in %s: its versions are v%d to v%d, see dssdnet model list", version, r.ws.Models(), numbers[0], numbers[len(numbers)-1])
}

// Find returns the newest version with these weights and this TREC run, by their hashes.
func (r Registry) Find(weights, run string) (Model, bool, error) {
	all, err := r.List()
	if err != nil {
		return Model{}, false, err
	}
	for _, m := range slices.Backward(all) {
		if m.Damage == "" && m.Lineage.Weights() == weights && m.Lineage.Run.SHA256 == run {
			return m, true, nil
		}
	}
	return Model{}, false, nil
}
