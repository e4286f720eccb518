package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// makeRoom removes a run of the same name that this one cannot go on from, if the settings say so. The run goes as a
// whole, its manifest first: killed at any moment, what stands is the old run, or nothing.
func (j *job) makeRoom() error {
	if !j.Replace {
		return nil
	}
	root := filepath.Join(string(j.Workspace), "checkpoints", j.Run)
	if err := durable.Sweep(filepath.Dir(root)); err != nil {
		return fmt.Errorf("remove what an interrupted run left: %w", err)
	}
	reason := j.foreign(root)
	if reason == nil {
		return nil
	}
	j.Log.Info("replacing a run of the same name", "run", j.Run, "reason", reason)
	if err := os.Remove(manifest.Path(j.Workspace.Manifests(), stage, j.Run)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace run %s: %w", j.Run, err)
	}
	temp, err := durable.TempDir(root)
	if err != nil {
		return fmt.Errorf("replace run %s: %w", j.Run, err)
	}
	if err := os.Rename(root, filepath.Join(temp, j.Run)); err != nil {
		return fmt.Errorf("replace run %s: %w", j.Run, err)
	}
	if err := durable.SyncDir(filepath.Dir(root)); err != nil {
		return err
	}
	return os.RemoveAll(temp)
}

// foreign says why this run cannot go on from what stands in its folder; nil when it can, or nothing does.
func (j *job) foreign(root string) error {
	folders, err := filepath.Glob(filepath.Join(root, "seed-*"))
	if err != nil {
		return err
	}
	for _, dir := range append(folders, root) {
		steps, err := checkpoints(dir)
		if err != nil {
			return err
		}
		names := []string{bestName}
		for _, n := range steps {
			names = append(names, checkpointPrefix+strconv.Itoa(n))
		}
		for _, name := range names {
			if err := j.foreignCheckpoint(dir, name); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
			}
		}
	}
	return nil
}

func (j *job) foreignCheckpoint(dir, name string) error {
	data, err := os.ReadFile(filepath.Join(dir, name, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	if err != nil {
		return err
	}
	var old state
	if err := json.Unmarshal(data, &old); err != nil {
		return fault.New(fault.Rejected, "%s is damaged: %w", stateFile, err)
	}
	if dir != j.folder(old.Seed) || len(j.seeds) == 1 && old.Seed != j.seeds[0] {
		return fmt.Errorf("it is of seed %d", old.Seed)
	}
	if err := j.beginning(old.Seed).fits(old); err != nil {
		return err
	}
	if _, total := j.planned(); old.Step > total {
		return fmt.Errorf("it has %d steps, more than the %d that are asked for", old.Step, total)
	}
	if !j.Resume && name != bestName {
		return errors.New("it is not to be gone on from without --resume")
	}
	return nil
}
