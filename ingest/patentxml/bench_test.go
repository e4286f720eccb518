package patentxml

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/abadojack/whatlanggo"
	"golang.org/x/sys/unix"
)

var benchmarkSizes = []int{36 << 10, 71 << 10}

// syntheticPatents returns patents of about size bytes, 4 MB together.
func syntheticPatents(size int) [][]byte {
	docs := make([][]byte, 4<<20/size)
	for i := range docs {
		docs[i] = []byte(syntheticPatent(int64(i), size))
	}
	return docs
}

func parseAll(b *testing.B, p *Parser, docs [][]byte) (bytes int64) {
	for _, doc := range docs {
		if _, err := p.Parse(doc, 0); err != nil {
			b.Fatal(err)
		}
		bytes += int64(len(doc))
	}
	return bytes
}

func BenchmarkParse(b *testing.B) {
	for _, size := range benchmarkSizes {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			docs := syntheticPatents(size)
			p := NewParser(DefaultLimits())
			b.SetBytes(parseAll(b, p, docs))
			b.ReportAllocs()
			for b.Loop() {
				parseAll(b, p, docs)
			}
		})
	}
}

// BenchmarkAgainstEtree measures Parse and Python's xml.etree (C) on the same files, one after the other in a process
// each, and reports how many times as fast Parse is. The rates are per second of processor time, so that a busy machine
// changes neither side much; Parse's includes its garbage collection.
func BenchmarkAgainstEtree(b *testing.B) {
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip("needs python3: the peer is bench/parse_etree.py")
	}
	for _, size := range benchmarkSizes {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			docs := syntheticPatents(size)
			dir := b.TempDir()
			for i, doc := range docs {
				if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".xml"), doc, 0o600); err != nil {
					b.Fatal(err)
				}
			}
			p := NewParser(DefaultLimits())
			parseAll(b, p, docs)
			var ours, etree float64 // best MB/s
			for b.Loop() {
				start := processorTime(b)
				var bytes int64
				for processorTime(b)-start < time.Second {
					bytes += parseAll(b, p, docs)
				}
				ours = max(ours, float64(bytes)/1e6/(processorTime(b)-start).Seconds())
				out, err := exec.Command(python, "bench/parse_etree.py", dir).Output()
				if err != nil {
					b.Fatalf("parse_etree.py: %v", err)
				}
				speed, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
				if err != nil {
					b.Fatal(err)
				}
				etree = max(etree, speed)
			}
			b.ReportMetric(ours, "MB/s")
			b.ReportMetric(etree, "etree-MB/s")
			b.ReportMetric(ours/etree, "x-etree")
		})
	}
}

// processorTime is what this process has used, in all its threads.
func processorTime(b *testing.B) time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkDetect compares the function words with the library that was not taken, on the beginning of a description.
func BenchmarkDetect(b *testing.B) {
	row, err := NewParser(DefaultLimits()).Parse([]byte(syntheticPatent(1, 36<<10)), 0)
	if err != nil {
		b.Fatal(err)
	}
	text := row.DescriptionEN[:sampleBytes]
	b.Run("functionwords", func(b *testing.B) {
		for b.Loop() {
			if detect(text).lang != english {
				b.Fatal("not English")
			}
		}
	})
	b.Run("whatlanggo", func(b *testing.B) {
		only := whatlanggo.Options{Whitelist: map[whatlanggo.Lang]bool{whatlanggo.Eng: true, whatlanggo.Deu: true, whatlanggo.Fra: true}}
		for b.Loop() {
			if whatlanggo.DetectLangWithOptions(text, only) != whatlanggo.Eng {
				b.Fatal("not English")
			}
		}
	})
}
