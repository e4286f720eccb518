package publish

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"dssdnet/ingest/broker"
	"dssdnet/ingest/patentxml"
	"dssdnet/internal/workspace"
)

// BenchmarkPublish compares publishing a tree of 36 kB documents with what it cannot be faster than: reading the same
// files, reading and hashing them, and cutting them too. The files come from the page cache, so on a disk that is slower
// than "publish" publishing runs at the speed of the disk. MB/cpu-s is megabytes per second of processor time, of all
// cores and with the broker: it says the same on a busy machine.
//
//	go test -run xxx -bench Publish -benchtime 5x ./ingest/publish
func BenchmarkPublish(b *testing.B) {
	dir, size := benchTree(b)
	each := func(b *testing.B, do func(r io.Reader) error) {
		defer perCPU(b, size)()
		for b.Loop() {
			if err := eachFile(dir, do); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("read", func(b *testing.B) {
		buffer := make([]byte, 256<<10)
		each(b, func(r io.Reader) error { return drained(r, buffer) })
	})
	b.Run("read+sha256", func(b *testing.B) {
		each(b, func(r io.Reader) error { _, err := io.Copy(sha256.New(), r); return err })
	})
	b.Run("read+cut+sha256", func(b *testing.B) {
		cutter := patentxml.NewCutter(nil, 8<<20)
		each(b, func(r io.Reader) error {
			cutter.Reset(r)
			p, err := cutter.Next()
			sha256.Sum256(p.Bytes)
			return err
		})
	})
	for _, sync := range []bool{false, true} {
		b.Run(fmt.Sprintf("publish/sync=%v", sync), func(b *testing.B) { publishTree(b, dir, size, sync) })
	}
}

func publishTree(b *testing.B, dir string, size int64, sync bool) {
	k := broker.Default()
	k.Workspace, k.SyncWrites, k.SpoolBytes = workspace.Dir(b.TempDir()), sync, 1<<50
	running, err := broker.Open(b.Context(), k)
	if err != nil {
		b.Fatal(err)
	}
	defer running.Close()
	c := Default()
	c.Paths, c.Workspace, c.Cluster = []string{dir}, k.Workspace, running.Cluster()
	defer perCPU(b, size)()
	for b.Loop() {
		if _, err := Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// perCPU measures from now until the function it returns is called.
func perCPU(b *testing.B, size int64) func() {
	b.SetBytes(size)
	before := cpuSeconds(b)
	return func() { b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpuSeconds(b)-before), "MB/cpu-s") }
}

func cpuSeconds(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// benchTree writes 4,000 documents of 36 kB in folders like those of CLEF-IP.
func benchTree(b *testing.B) (dir string, size int64) {
	dir = b.TempDir()
	text := noise(36_000)
	for i := range 4000 {
		document := patent(fmt.Sprintf("EP-%07d-A1", i), text)
		write(b, dir, fmt.Sprintf("EP/000000/%02d/%02d/EP-%07d-A1.xml", i/100, i%100, i), document)
		size += int64(len(document))
	}
	return dir, size
}

func eachFile(dir string, do func(io.Reader) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return do(f)
	})
}

func drained(r io.Reader, buffer []byte) error {
	for {
		if _, err := r.Read(buffer); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
