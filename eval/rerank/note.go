package rerank

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"dssdnet/internal/manifest"
	"dssdnet/internal/workspace"
)

// Note is runs/<name>.json: what a run was made of.
type Note struct {
	Identity Identity `json:"identity"`
	Pairs    string   `json:"pairs"` // pairs/<pairs> had the groups
	Result   Result   `json:"result"`
}

// Identity is what the bytes of a run depend on.
type Identity struct {
	Tool        string           `json:"tool"`
	Checkpoint  []manifest.Input `json:"checkpoint"` // files of the model
	Groups      []manifest.Input `json:"groups"`     // files of the pairs
	Precision   string           `json:"precision"`
	BatchTokens int              `json:"batch_tokens"`
	Window      int              `json:"window"`
	Depth       int              `json:"depth,omitempty"`
	Shards      int              `json:"shards"`
}

func (i Identity) bytes() []byte {
	data, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		panic(err) // strings and numbers
	}
	return data
}

// RunFile is where a run of a workspace lies.
func RunFile(ws workspace.Dir, run string) string {
	return filepath.Join(ws.Table("runs"), run+".trec.gz")
}

// ReadNote reads the note of a run. The error is fs.ErrNotExist when the run is not whole, or not made by this stage.
func ReadNote(ws workspace.Dir, run string) (Note, error) {
	if _, err := os.Stat(RunFile(ws, run)); err != nil {
		return Note{}, err
	}
	path := filepath.Join(ws.Table("runs"), run+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		return Note{}, err
	}
	var n Note
	if err := json.Unmarshal(data, &n); err != nil {
		return Note{}, fmt.Errorf("%s is damaged: %w: make the run again with dssdnet rerank", path, err)
	}
	return n, nil
}
