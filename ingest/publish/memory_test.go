package publish

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestMemory publishes a tar.gz with one stream of 300 MB of documents, and a document of 200 MB behind it. The limit is
// what the settings allow for at the worst; what it guards against is memory that grows with the input. It looks at what is
// held, after a collection: how much garbage lies beside it depends on the processor time that the collector gets.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("needs some seconds and 600 MB of disk; not with -short")
	}
	const (
		documents, stream, long = 15_000, 300_000_000, 200_000_000
		limit                   = 150 << 20
	)
	path := filepath.Join(t.TempDir(), "large.tar.gz")
	large(t, path, documents, stream, long)
	c := start(t, path)

	stop, peak := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	r, err := Run(t.Context(), c)
	close(stop)
	most := <-peak
	if err != nil {
		t.Fatal(err)
	}
	if r.Documents != documents+1 || r.Cut != 1 {
		t.Errorf("result %+v", r)
	}
	if most > limit {
		t.Errorf("%d MiB are held, embedded broker included", most>>20)
	}
	t.Logf("most that was held, embedded broker included: %d MiB", most>>20)
}

// large writes an archive of two members without holding either.
func large(t *testing.T, path string, documents, stream, long int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.HuffmanOnly) // fast
	if err != nil {
		t.Fatal(err)
	}
	a := tar.NewWriter(z)
	text := noise(stream / documents)
	size := len(patent("EP-0000000-A1", text))
	member := func(name string, n int64) io.Writer {
		if err := a.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: n}); err != nil {
			t.Fatal(err)
		}
		return a
	}
	w := bufio.NewWriter(member("weekly.xml", int64(documents*size)))
	for i := range documents {
		fmt.Fprint(w, patent(fmt.Sprintf("EP-%07d-A1", i), text))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	head, tail := `<patent-document ucid="EP-9999999-A1"><p>`, `</p></patent-document>`
	w = bufio.NewWriter(member("long.xml", int64(len(head)+long/1000*1000+len(tail))))
	fmt.Fprint(w, head)
	for range long / 1000 {
		fmt.Fprint(w, text[:1000])
	}
	fmt.Fprint(w, tail)
	for _, closing := range []func() error{w.Flush, a.Close, z.Close} {
		if err := closing(); err != nil {
			t.Fatal(err)
		}
	}
}
