package consume

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"
	"golang.org/x/sys/unix"

	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// benchEnv makes the test binary a broker that holds synthetic documents, so that a benchmark measures the consumer
// alone. It is their number and their size in KB, from half of which to one and a half they are long.
const benchEnv = "DSSDNET_TEST_BROKER"

// serveDocuments runs the broker until its input ends. It prints the address and the bytes of XML.
func serveDocuments() int {
	var n, kb int
	if _, err := fmt.Sscan(os.Getenv(benchEnv), &n, &kb); err != nil {
		return fail(err)
	}
	dir, err := os.MkdirTemp("", "consume-bench")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DataDir(dir), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "16777216"}))
	if err != nil {
		return fail(err)
	}
	defer c.Close()
	at := cluster.Config{Brokers: c.ListenAddrs()}
	size, err := publishSynthetic(at, n, kb*1000)
	if err != nil {
		return fail(err)
	}
	fmt.Println(at.Brokers[0], size)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func publishSynthetic(at cluster.Config, n, typical int) (size int64, err error) {
	ctx := context.Background()
	if err := cluster.EnsureTopic(ctx, at, schemas.TopicXML, 4, map[string]string{"max.message.bytes": "16777216"}); err != nil {
		return 0, err
	}
	w, err := cluster.NewWriter(at, schemas.TopicXML, nil)
	if err != nil {
		return 0, err
	}
	defer cluster.Release(w.Transport)
	defer w.Close()
	a := newAuthor(1)
	var batch []kafka.Message
	waiting := 0
	for i := 1; i <= n; i++ {
		m := record(i, a.document(i, typical))
		size += int64(len(m.Value))
		waiting += len(m.Value)
		batch = append(batch, m)
		if waiting < 8<<20 && i < n {
			continue
		}
		if err := w.WriteMessages(ctx, batch...); err != nil {
			return 0, err
		}
		batch, waiting = nil, 0
	}
	return size, nil
}

// author writes patents in words whose frequencies follow Zipf's law.
type author struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newAuthor(seed uint64) *author {
	a := &author{random: rand.New(rand.NewPCG(seed, 1)), words: make([]string, 60_000)}
	syllables := []string{"ra", "ti", "con", "de", "mo", "la", "per", "sub", "in", "ter", "pla", "ne", "vi", "so", "lu", "ge", "ma", "tor", "ic", "al"}
	for i := range a.words {
		var b strings.Builder
		for range 1 + a.random.IntN(4) {
			b.WriteString(syllables[a.random.IntN(len(syllables))])
		}
		a.words[i] = b.String()
	}
	a.zipf = rand.NewZipf(a.random, 1.1, 4, uint64(len(a.words)-1))
	return a
}

// text is about n bytes of sentences.
func (a *author) text(b *strings.Builder, n int) {
	for start := b.Len(); b.Len()-start < n; {
		for range 6 + a.random.IntN(18) {
			b.WriteString(a.words[a.zipf.Uint64()])
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "(%d).\n", a.random.IntN(400))
	}
}

func (a *author) document(number, typical int) string {
	size := typical/2 + a.random.IntN(typical)
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<patent-document ucid="EP-%07d-A1" country="EP" doc-number="%07d" kind="A1" lang="EN" family-id="%d" date="20010203" date-produced="20090516">
<bibliographic-data>
<publication-reference><document-id><country>EP</country><doc-number>%07d</doc-number><kind>A1</kind><date>20010203</date></document-id></publication-reference>
<application-reference><document-id><country>EP</country><doc-number>99%06d</doc-number><kind>A</kind><date>19990707</date></document-id></application-reference>
<technical-data><classifications-ipcr>`, number, number, 4_000_000+number, number, number)
	for range 2 + a.random.IntN(4) {
		fmt.Fprintf(&b, "\n<classification-ipcr>%c%02d%c  %2d/%02d        20060101AFI20051220RMJP        </classification-ipcr>",
			'A'+a.random.IntN(8), 1+a.random.IntN(60), 'B'+a.random.IntN(20), 1+a.random.IntN(90), a.random.IntN(90))
	}
	b.WriteString("\n</classifications-ipcr>")
	for _, lang := range []string{"DE", "EN", "FR"} {
		fmt.Fprintf(&b, "\n<invention-title lang=%q>", lang)
		a.text(&b, 40)
		b.WriteString("</invention-title>")
	}
	b.WriteString("\n<references-cited>")
	for range a.random.IntN(8) {
		fmt.Fprintf(&b, "\n<citation><patcit ucid=\"US-%d-A\"><document-id><country>US</country><doc-number>%[1]d</doc-number><kind>A</kind></document-id></patcit></citation>", 3_000_000+a.random.IntN(3_000_000))
	}
	b.WriteString("\n</references-cited></technical-data></bibliographic-data>\n<abstract lang=\"EN\"><p>")
	a.text(&b, 900)
	b.WriteString("</p></abstract>\n<description lang=\"EN\">")
	for b.Len() < size*3/4 {
		b.WriteString("\n<p>")
		a.text(&b, 700)
		b.WriteString("</p>")
	}
	b.WriteString("\n</description>\n<claims lang=\"EN\">")
	for n := 1; b.Len() < size; n++ {
		fmt.Fprintf(&b, "\n<claim num=\"%d\"><claim-text>%[1]d. ", n)
		a.text(&b, 500)
		b.WriteString("</claim-text></claim>")
	}
	b.WriteString("\n</claims>\n</patent-document>\n")
	return b.String()
}

// The benchmarks are the whole way from the topic to published files. Bytes are of XML. Run them with -cpu 1 for the
// speed of one core: the broker is a process of its own. DSSDNET_BENCH_MB sets the amount of XML; peak-MB must stay
// below 1000 whatever it is.
//
//	go test ./ingest/consume -run '^$' -bench TopicToParquet -benchtime 3x -cpu 1
func BenchmarkTopicToParquet(b *testing.B) {
	for name, kb := range map[string]int{"patents": 54, "huge": 6_000} {
		b.Run(name, func(b *testing.B) { benchmark(b, kb) })
	}
}

func benchmark(b *testing.B, kb int) {
	mb := 300
	if n, err := strconv.Atoi(os.Getenv("DSSDNET_BENCH_MB")); err == nil {
		mb = n
	}
	documents := mb * 1000 / kb
	at, size := benchBroker(b, documents, kb)
	b.SetBytes(size)
	var result Result
	runs, used := 0, cpuTime(b)
	for i := 0; b.Loop(); i++ {
		runs++
		c := Default()
		c.Workspace, c.Cluster, c.UntilEnd, c.Group = workspace.Dir(b.TempDir()), at, true, fmt.Sprintf("bench-%d-%d", os.Getpid(), i)
		var err error
		if result, err = Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
		if result.Documents != int64(documents) {
			b.Fatalf("%d documents, want %d", result.Documents, documents)
		}
	}
	used = cpuTime(b) - used
	b.ReportMetric(float64(size)*float64(runs)/1e6/used.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(result.XMLBytes)/float64(result.ParquetBytes), "xml/parquet")
	b.ReportMetric(peakMemory(b), "peak-MB")
}

// cpuTime is what this process has used of its cores: on a machine with other work, the speed is bytes by this time.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func benchBroker(b *testing.B, documents, kb int) (cluster.Config, int64) {
	b.Helper()
	p := exec.Command(os.Args[0])
	p.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", benchEnv, documents, kb), "GOMAXPROCS=2")
	p.Stderr = os.Stderr
	in, err := p.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := p.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = p.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	var address string
	var size int64
	if _, err := fmt.Sscan(line, &address, &size); err != nil {
		b.Fatal(err)
	}
	return cluster.Config{Brokers: []string{address}}, size
}

// peakMemory is the largest resident size of this process so far, in millions of bytes.
func peakMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("needs /proc for the memory of the process")
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb * 1024 / 1e6
}
