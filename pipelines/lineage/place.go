package lineage

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// places gives data the names that other systems know them by: "scheme://authority" and a path, as OpenLineage's
// naming has it.
type places struct {
	host      string
	workspace string // absolute
	brokers   []string
}

func newPlaces(c Config) (places, error) {
	host, err := os.Hostname()
	if err != nil {
		return places{}, fmt.Errorf("name of this machine: %w", err)
	}
	dir, err := filepath.Abs(string(c.Workspace))
	if err != nil {
		return places{}, fmt.Errorf("absolute path of the workspace %s: %w", c.Workspace, err)
	}
	return places{host: host, workspace: dir, brokers: c.Brokers}, nil
}

// of names data of a step. A topic of the embedded broker is the folder of its log: its port changes with every run.
func (p places) of(name string) (namespace, unique string) {
	if topic, ok := strings.CutPrefix(name, "kafka/"); ok && len(p.brokers) > 0 {
		return "kafka://" + p.brokers[0], topic
	}
	return "file://" + p.host, p.path(name)
}

// path is the absolute path of data of a step.
func (p places) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(p.workspace, filepath.FromSlash(name))
}
