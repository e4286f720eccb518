package pipelines

import (
	"bufio"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// resetPeak makes peakRSS start anew, with the memory that is still in use.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // without it the peak is that of the process
}

// peakRSS is the most memory that the process has had since resetPeak, in bytes; 0 where the system does not say.
func peakRSS() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "VmHWM:")
		if !ok {
			continue
		}
		kib, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64)
		if err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}
