package peers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Figures are what a peer says about itself. A peer that has only one way to search has no Skipping.
type Figures struct {
	Version    string  `json:"version"`
	Documents  int     `json:"documents"`
	Topics     int     `json:"topics"`
	BuildCPU   float64 `json:"build_cpu_s"` // seconds
	MergeCPU   float64 `json:"merge_cpu_s"` // to one segment
	Bytes      int64   `json:"bytes"`       // of the index
	OpenCPU    float64 `json:"open_cpu_s"`
	All        float64 `json:"all_cpu_ms"` // a topic, all matching documents scored
	AllRun     string  `json:"all_run"`
	Skipping   float64 `json:"skipping_cpu_ms"` // a topic, documents that cannot be among the hits skipped
	PeakMemory int64   `json:"peak_bytes"`      // resident, of the process
}

// measure runs a peer that prints its figures.
func measure(cmd *exec.Cmd) (*Figures, error) {
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, tail(complaints.String()))
	}
	var f Figures
	if err := json.Unmarshal(out, &f); err != nil {
		return nil, fmt.Errorf("%s printed %q: %w", cmd, tail(string(out)), err)
	}
	return &f, nil
}

func tail(text string) string {
	const enough = 2000
	return text[max(0, len(text)-enough):]
}

// Hits reads a run: the patents of every topic, best first. ids are the patents in the order of WriteDocuments.
func Hits(run string, ids []string) (map[string][]string, error) {
	content, err := os.ReadFile(run)
	if err != nil {
		return nil, err
	}
	hits := make(map[string][]string)
	for line := range strings.Lines(string(content)) {
		words := strings.Fields(line)
		found := make([]string, 0, len(words)-1)
		for _, word := range words[1:] {
			number, err := strconv.Atoi(word)
			if err != nil || number < 0 || number >= len(ids) {
				return nil, fmt.Errorf("%s: topic %s has document %q, there are %d", run, words[0], word, len(ids))
			}
			found = append(found, ids[number])
		}
		hits[words[0]] = found
	}
	return hits, nil
}

// Overlap is the share of want that is in got, in whatever order; 1 when want is empty.
func Overlap(got, want []string) float64 {
	if len(want) == 0 {
		return 1
	}
	in := make(map[string]bool, len(got))
	for _, id := range got {
		in[id] = true
	}
	shared := 0
	for _, id := range want {
		if in[id] {
			shared++
		}
	}
	return float64(shared) / float64(len(want))
}
