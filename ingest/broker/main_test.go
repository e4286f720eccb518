package broker

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"go.uber.org/goleak"

	"dssdnet/internal/cluster"
	"dssdnet/internal/workspace"
)

// childVariable makes this test binary a process that serves the workspace it names, to be killed by a test.
const childVariable = "DSSDNET_TEST_BROKER_WORKSPACE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		os.Exit(child(dir))
	}
	goleak.VerifyTestMain(m)
}

func child(dir string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b, err := Open(ctx, testConfig(dir))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("ready", b.Serving())
	<-ctx.Done()
	if err := b.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func testConfig(dir string) Config {
	c := Default()
	c.Workspace = workspace.Dir(dir)
	c.SyncWrites = false // the tests kill processes, not machines
	return c
}

// process is a broker in a process of its own.
type process struct{ cmd *exec.Cmd }

// spawn returns when the process answers. serving says whether it must be the one that serves.
func spawn(t *testing.T, dir string, serving bool) process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := process{cmd}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if want := fmt.Sprintf("ready %v", serving); err != nil || strings.TrimSpace(line) != want {
		t.Fatalf("the process said %q (%v), want %q", line, err, want)
	}
	return p
}

func (p process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

func (p process) interrupt(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, c Config) *Broker {
	t.Helper()
	b, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func shut(t *testing.T, b *Broker) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

func ensureTopic(t *testing.T, c cluster.Config, partitions int) {
	t.Helper()
	if err := cluster.EnsureTopic(t.Context(), c, topic, partitions, map[string]string{"max.message.bytes": "16777216", "retention.ms": "-1"}); err != nil {
		t.Fatal(err)
	}
}

const topic = "patents.xml"

// writer is released at the end of the test.
func writer(t *testing.T, c cluster.Config) *kafka.Writer {
	t.Helper()
	w, err := cluster.NewWriter(c, topic, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.Close()
		cluster.Release(w.Transport)
	})
	return w
}

func put(t *testing.T, w *kafka.Writer, values ...string) {
	t.Helper()
	var messages []kafka.Message
	for _, v := range values {
		messages = append(messages, kafka.Message{Key: []byte(v), Value: []byte(v)})
	}
	if err := w.WriteMessages(t.Context(), messages...); err != nil {
		t.Fatal(err)
	}
}

// readAll counts the records of the topic by value.
func readAll(t *testing.T, c cluster.Config) map[string]int {
	t.Helper()
	spans, err := cluster.Spans(t.Context(), c, topic)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for p, span := range spans {
		r := kafka.NewReader(kafka.ReaderConfig{Brokers: c.Brokers, Topic: topic, Partition: p, MaxBytes: 16 << 20, MaxWait: 100 * time.Millisecond})
		if err := r.SetOffset(span.First); err != nil {
			t.Fatal(err)
		}
		for next := span.First; next < span.End; {
			m, err := r.ReadMessage(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found[string(m.Value)]++
			next = m.Offset + 1
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return found
}
