package sampler

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// BenchmarkSample samples a made-up collection in a process of its own and reports rows per second, peak memory and
// the share of time of every step. DSSDNET_BENCH_PATENTS, DSSDNET_BENCH_TOPICS and DSSDNET_BENCH_HITS set its size,
// DSSDNET_BENCH_DIR keeps it from one run to the next.
func BenchmarkSample(b *testing.B) {
	c := collection{
		patents: fromEnv(b, "DSSDNET_BENCH_PATENTS", 30_000), topics: fromEnv(b, "DSSDNET_BENCH_TOPICS", 300),
		hits: fromEnv(b, "DSSDNET_BENCH_HITS", 1000), words: 120,
		splits: []string{"train", "test", "test"},
	}
	dir := os.Getenv("DSSDNET_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	ws := workspace.Dir(filepath.Join(dir, fmt.Sprintf("sampler-%d-%d-%d", c.patents, c.topics, c.hits)))
	c.writeOnce(b, ws)
	for _, negatives := range []string{"random", "domain-balanced"} {
		b.Run(negatives, func(b *testing.B) {
			var r Result
			var rss int64
			for b.Loop() {
				r, rss = runInChild(b, ws, negatives)
			}
			rows := r.Counts.Train.Positives + r.Counts.Train.Negatives + r.Counts.Valid.Positives + r.Counts.Valid.Negatives + r.Counts.Test.Rows
			b.ReportMetric(float64(rows)/r.Seconds, "rows/s")
			b.ReportMetric(float64(rss)/(1<<20), "MiB-RSS")
			b.ReportMetric(float64(r.Bytes)/(1<<20)/r.Seconds, "MiB/s")
			for step, seconds := range map[string]float64{
				"%reading": r.ReadingSeconds, "%drawing": r.DrawingSeconds, "%writing": r.WritingSeconds, "%checking": r.CheckSeconds,
			} {
				b.ReportMetric(100*seconds/r.Seconds, step)
			}
			b.Logf("%s: %d patents, %d pairs of train and valid, %d rows in %d groups, %.1f s", negatives, r.Counts.Library.Patents,
				rows-r.Counts.Test.Rows, r.Counts.Test.Rows, r.Counts.Test.Groups, r.Seconds)
		})
	}
}

func fromEnv(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return n
}

// runInChild samples in a process of its own, so that memory is the sampler's alone. rss is its peak in bytes.
func runInChild(b *testing.B, ws workspace.Dir, negatives string) (r Result, rss int64) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childWorkspace+"="+string(ws), childNegatives+"="+negatives)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal(out, &r); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return r, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// writeOnce writes the collection piece by piece, unless it stands there.
func (c collection) writeOnce(b *testing.B, ws workspace.Dir) {
	b.Helper()
	done := filepath.Join(string(ws), "done")
	if _, err := os.Stat(done); err == nil {
		return
	}
	const patentsPerFile, topicsPerFile = 20_000, 100
	for from := 0; from < c.patents; from += patentsPerFile {
		var patents []schemas.Patent
		for n := from; n < min(from+patentsPerFile, c.patents); n++ {
			p := c.patent(n)
			p.Description = strings.Repeat("a description that nobody reads here. ", 10)
			patents = append(patents, p)
		}
		writeTable(b, ws, schemas.Patents, fmt.Sprintf("patents-%05d", from/patentsPerFile), patents)
	}
	var topics []schemas.Topic
	var qrels []schemas.Qrel
	for from := 0; from < c.topics; from += topicsPerFile {
		var pools []schemas.Pool
		for n := from; n < min(from+topicsPerFile, c.topics); n++ {
			topic, golds, pool := c.topic(n)
			topics, qrels, pools = append(topics, topic), append(qrels, golds...), append(pools, pool...)
		}
		writeRows(b, schemas.Pools, filepath.Join(ws.Table("pools"), "bm25", fmt.Sprintf("part-%05d.parquet", from/topicsPerFile)), pools)
	}
	writeTable(b, ws, schemas.Topics, "topics", topics)
	writeTable(b, ws, schemas.Qrels, "qrels", qrels)
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		b.Fatal(err)
	}
}
