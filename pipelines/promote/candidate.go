package promote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/eval/rerank"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
)

// modelFiles are those of a checkpoint that its scores depend on, as the note of a run lists them.
var modelFiles = []string{"config.json", "model.safetensors", "vocab.txt"}

// candidate is a checkpoint with the run that it made.
type candidate struct {
	dir        string // of the checkpoint
	checkpoint []manifest.Input
	run        manifest.Input
	note       rerank.Note
}

// weights is the hash of the file that tells models apart.
func (c *candidate) weights() string { return weightsOf(c.checkpoint) }

func weightsOf(files []manifest.Input) string {
	for _, file := range files {
		if file.Path == "model.safetensors" {
			return file.SHA256
		}
	}
	return ""
}

// find reads the candidate, and makes sure that run and checkpoint belong together.
func (c Config) find() (*candidate, error) {
	found := &candidate{dir: filepath.Join(string(c.Workspace), "checkpoints", c.training(), "best")}
	for _, name := range modelFiles {
		input, err := manifest.HashInput(filepath.Join(found.dir, name))
		if err != nil {
			return nil, fault.New(fault.Usage, "training %s has no whole checkpoint: %w: run dssdnet train --run %s", c.training(), err, c.training())
		}
		input.Path = name
		found.checkpoint = append(found.checkpoint, input)
	}
	again := fmt.Sprintf("dssdnet rerank --checkpoint %s --run %s", found.dir, c.Run)
	var err error
	if found.note, err = rerank.ReadNote(c.Workspace, c.Run); errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Usage, "run %s is not there, or not made by dssdnet rerank: %w: run %s", c.Run, err, again)
	} else if err != nil {
		return nil, err
	}
	if theirs := weightsOf(found.note.Identity.Checkpoint); theirs != found.weights() {
		return nil, fault.New(fault.Rejected, "run %s was made by other weights (%.12s) than those of training %s (%.12s): run %s", c.Run, theirs, c.training(), found.weights(), again)
	}
	found.run, err = hashRun(c.Workspace, c.Run)
	return found, err
}

// hashRun describes the file of a run by its name in the workspace.
func hashRun(ws workspace.Dir, run string) (manifest.Input, error) {
	input, err := manifest.HashInput(rerank.RunFile(ws, run))
	if err != nil {
		return input, fmt.Errorf("read run %s: %w", run, err)
	}
	input.Path = filepath.Join("runs", filepath.Base(input.Path))
	return input, nil
}

// readJSON leaves value alone when there is no file.
func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s is damaged: %w", path, err)
	}
	return nil
}
