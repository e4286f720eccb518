package query

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"dssdnet/internal/workspace"
)

// tempPrefix is followed by the process id, so that what a killed query left is known by its owner.
const tempPrefix = "query-"

// tempFolder names the folder for what DuckDB spills, and removes those of processes that are no more. Queries run
// side by side.
func tempFolder(w workspace.Dir) (string, error) {
	if err := os.MkdirAll(w.Temp(), 0o755); err != nil {
		return "", fmt.Errorf("make the temporary folder: %w", err)
	}
	left, err := os.ReadDir(w.Temp())
	if err != nil {
		return "", fmt.Errorf("clean the temporary folder: %w", err)
	}
	for _, dir := range left {
		owner, ok := strings.CutPrefix(dir.Name(), tempPrefix)
		owner, _, _ = strings.Cut(owner, ".")
		pid, err := strconv.Atoi(owner)
		if ok && err == nil && errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			_ = os.RemoveAll(filepath.Join(w.Temp(), dir.Name()))
		}
	}
	return os.MkdirTemp(w.Temp(), fmt.Sprintf("%s%d.", tempPrefix, os.Getpid()))
}
