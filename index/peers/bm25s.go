package peers

import (
	"context"
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

//go:embed bm25s/peer.py
var bm25sPeer []byte

// HasBM25S is whether this Python has what [BM25S] needs.
func HasBM25S(python string) bool {
	return python != "" && exec.Command(python, "-c", "import bm25s, numba").Run() == nil
}

// BM25S indexes and searches the files in dir with the library of that name. Memory: about 5 KB a document of 120
// terms.
func BM25S(ctx context.Context, python, dir string, hits int) (*Figures, error) {
	work := filepath.Join(dir, "bm25s")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, err
	}
	peer := filepath.Join(work, "peer.py")
	if err := os.WriteFile(peer, bm25sPeer, 0o644); err != nil {
		return nil, err
	}
	return measure(exec.CommandContext(ctx, python, peer, dir, work, strconv.Itoa(hits)))
}
