package pipelines

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
)

// resultsVersion is the version of the layout of run_results.json.
//
//	1  first
const resultsVersion = 1

// resultsPath is the file with the result of the last run on a workspace. It is written as the run goes on, so that it
// says where one was that was killed.
func resultsPath(ws workspace.Dir) string { return filepath.Join(string(ws), "run_results.json") }

func (r *run) write() error { return writeJSON(resultsPath(r.Workspace), r.result) }

// LastRun is the result of the last run on a workspace; nil when there has been none.
func LastRun(ws workspace.Dir) (*Result, error) {
	path := resultsPath(ws)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var last Result
	if err := json.Unmarshal(data, &last); err != nil {
		return nil, fault.New(fault.Rejected, "%s is damaged: %w: run the pipeline again", path, err)
	}
	if last.Version > resultsVersion {
		return nil, newer(path, last.Version, resultsVersion)
	}
	return &last, nil
}
