package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// kills is how often each stage is killed.
const kills = 20

// TestKilledStages kills the publisher, the consumer, the merge and the broker at random moments, again and again,
// repeats each command until it succeeds, and expects the tables of an undisturbed run: no document lost, none twice.
func TestKilledStages(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for about a minute: not with -short")
	}
	collection := filepath.Join(t.TempDir(), "collection")
	succeed(t, "", "synth", collection, "--patents", "600", "--topics", "0", "--hazard-share", "0.1")
	addLargeDocument(t, collection)
	t.Run("embedded broker", func(t *testing.T) { testKilledStages(t, collection, embedded(t)) })
	t.Run("Apache Kafka", func(t *testing.T) {
		brokers := os.Getenv("DSSDNET_KAFKA")
		if brokers == "" {
			t.Skip("needs a Kafka cluster: DSSDNET_KAFKA=host:port, see scripts/kafka.sh")
		}
		testKilledStages(t, collection, realKafka(brokers))
	})
}

// site is where a run happens: flags that name its workspace and cluster, and a broker to be killed with the rest, if it
// is ours.
type site struct {
	workspace string
	kafka     []string // flags of the stages that use Kafka
	settings  []string // environment
	disturb   func(t *testing.T, workspace string) (stop func())
}

func embedded(t *testing.T) func(name string) site {
	dir := t.TempDir()
	return func(name string) site {
		return site{workspace: filepath.Join(dir, name), disturb: killBrokers}
	}
}

func realKafka(brokers string) func(name string) site {
	run := fmt.Sprintf("%d", time.Now().UnixNano())
	return func(name string) site {
		topic := "kill." + name + "." + run
		dir, err := os.MkdirTemp("", "dssdnet-kill-*")
		if err != nil {
			panic(err)
		}
		return site{
			workspace: dir, kafka: []string{"--brokers", brokers},
			settings: []string{"DSSDNET_PUBLISH_TOPIC=" + topic, "DSSDNET_CONSUME_TOPIC=" + topic, "DSSDNET_CONSUME_GROUP=" + topic},
			disturb:  func(*testing.T, string) func() { return func() {} },
		}
	}
}

func testKilledStages(t *testing.T, collection string, at func(name string) site) {
	calm, wild := at("calm"), at("wild")
	publish := []string{"ingest", "publish", collection, "--max-document-bytes", "11MiB", "--max-dead-share", "1"}
	consume := []string{"ingest", "consume", "--until-end", "--max-dead-share", "1", "--session-timeout", "1s", "--file-records", "50"}
	merge := []string{"ingest", "merge"}

	var took [3]time.Duration
	for i, command := range [][]string{publish, consume, merge} {
		started := time.Now()
		succeed(t, calm.workspace, calm.with(command)...)
		took[i] = time.Since(started)
	}

	stop := wild.disturb(t, wild.workspace)
	for i, command := range [][]string{publish, consume, merge} {
		if i == 2 {
			stop()
		}
		for range kills {
			killed(t, wild, command, took[i])
		}
	}
	// Undisturbed at last: each command goes on from whatever the kills have left.
	for _, command := range [][]string{publish, consume, merge} {
		succeed(t, wild.workspace, wild.with(command)...)
	}

	for _, sql := range []string{
		"SELECT * EXCLUDE (source, warnings), source.path, source.byte_start, source.byte_end, source.sha256 FROM documents ORDER BY ucid",
		// Every version of a document has one row. (A tree that holds two versions gives both again when it is
		// published again, because each differs from the one before it.)
		`SELECT count(*) AS documents, count(*) FILTER (contents = 1 AND n > 1) AS doubled FROM (
			SELECT ucid, count(*) AS n, count(DISTINCT source.sha256) AS contents FROM documents_all GROUP BY ucid)`,
		"SELECT * FROM patents ORDER BY patent_id",
	} {
		want := succeed(t, calm.workspace, "query", "--format", "csv", sql)
		got := succeed(t, wild.workspace, "query", "--format", "csv", sql)
		if got != want {
			t.Errorf("%s differs after kills:\n%s", sql, firstDifference(want, got))
		}
		if lines := strings.Count(want, "\n"); lines < 2 {
			t.Errorf("%s has %d lines: nothing was compared", sql, lines)
		}
	}
	for _, dir := range []string{"documents", "."} {
		leftOvers, err := filepath.Glob(filepath.Join(wild.workspace, dir, ".tmp-*"))
		if err != nil || len(leftOvers) > 0 {
			t.Errorf("left over in %s: %v %v", dir, leftOvers, err)
		}
	}
}

// with adds the site's flags to a command and, for stages that know topics, its settings.
func (s site) with(command []string) []string {
	all := append([]string{}, command...)
	if command[1] != "merge" {
		all = append(all, s.kafka...)
	}
	return append(s.settings[:len(s.settings):len(s.settings)], all...)
}

// start begins a command. Words of the form DSSDNET_X=y before it are its environment.
func start(t *testing.T, workspace string, words ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	var env []string
	for len(words) > 0 && strings.HasPrefix(words[0], "DSSDNET_") {
		env, words = append(env, words[0]), words[1:]
	}
	if workspace != "" {
		words = append(words, "--workspace", workspace)
	}
	cmd := exec.Command("dssdnet", words...)
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &stdout, &stderr
}

func succeed(t *testing.T, workspace string, words ...string) string {
	t.Helper()
	cmd, stdout, stderr := start(t, workspace, words...)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("dssdnet %v: %v\n%s%s", words, err, stdout, stderr)
	}
	return stdout.String()
}

// killed runs a command and kills it at a random moment of the time it takes undisturbed.
func killed(t *testing.T, s site, command []string, took time.Duration) {
	t.Helper()
	cmd, _, _ := start(t, s.workspace, s.with(command)...)
	time.Sleep(rand.N(took + took/4))
	_ = cmd.Process.Signal(syscall.SIGKILL) // it may be over already
	_ = cmd.Wait()
}

// killBrokers keeps a broker process running on the workspace and kills it every now and then.
func killBrokers(t *testing.T, workspace string) (stop func()) {
	t.Helper()
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			cmd := exec.Command("dssdnet", "broker", "--workspace", workspace)
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			select {
			case <-over:
				_ = cmd.Process.Signal(syscall.SIGKILL)
				_ = cmd.Wait()
				return
			case <-time.After(500*time.Millisecond + rand.N(1500*time.Millisecond)):
				_ = cmd.Process.Signal(syscall.SIGKILL)
				_ = cmd.Wait()
			}
		}
	}()
	return func() { close(over); <-done }
}

// addLargeDocument puts a document of 10 MB beside the others.
func addLargeDocument(t *testing.T, collection string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`<patent-document ucid="EP-9999999-A1" country="EP" doc-number="9999999" kind="A1" lang="EN" date="20200101"><description lang="EN">`)
	for i := 0; b.Len() < 10_000_000; i++ {
		fmt.Fprintf(&b, "<p num=\"%d\">The sequence listing shows residue %d of the protein in its natural order.</p>\n", i, i*7919)
	}
	b.WriteString("</description></patent-document>")
	if err := os.WriteFile(filepath.Join(collection, "EP-9999999-A1.xml"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\n- %.400s\n+ %.400s", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
