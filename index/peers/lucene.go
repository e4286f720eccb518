package peers

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

var (
	//go:embed lucene/pom.xml
	lucenePOM []byte
	//go:embed lucene/Peer.java
	lucenePeer []byte
)

// Lengths is how Lucene keeps the lengths of documents.
type Lengths string

// Ways to keep lengths.
const (
	Bytes Lengths = "bytes" // one byte each, as Lucene does by default
	Exact Lengths = "exact" // whole numbers: not as Lucene does, to see what the byte changes
)

// HasLucene is whether the programs are there that [Lucene] needs.
func HasLucene() bool {
	_, java := exec.LookPath("java")
	_, maven := exec.LookPath("mvn")
	return java == nil && maven == nil
}

// Lucene indexes and searches the files in dir. Its own files go into a folder in dir, replacing those of an earlier
// run. Memory: up to 4 GiB.
func Lucene(ctx context.Context, dir string, hits int, lengths Lengths) (*Figures, error) {
	work := filepath.Join(dir, "lucene-"+string(lengths))
	at := filepath.Join(work, "index")
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return nil, err
	}
	pom, peer := filepath.Join(work, "pom.xml"), filepath.Join(work, "Peer.java")
	for path, content := range map[string][]byte{pom: lucenePOM, peer: lucenePeer} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return nil, err
		}
	}
	jars := filepath.Join(work, "jars")
	maven := exec.CommandContext(ctx, "mvn", "-q", "-B", "-f", pom, "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	if out, err := maven.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", maven, err, tail(string(out)))
	}
	return measure(exec.CommandContext(ctx, "java", "-Xmx4g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1",
		"-cp", filepath.Join(jars, "*"), peer, dir, at, strconv.Itoa(hits), string(lengths)))
}
