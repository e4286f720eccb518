package consume

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/ingest/deadletter"
	"dssdnet/internal/workspace"
)

// memberEnv makes the test binary a consumer of its own: it holds the Config, as JSON.
const memberEnv = "DSSDNET_TEST_CONSUME"

func memberMain() int {
	var c Config
	err := json.Unmarshal([]byte(os.Getenv(memberEnv)), &c)
	if err == nil {
		_, err = newRun(c, hurried, patentParser(c)).start(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "consumer process:", err)
		return 1
	}
	return 0
}

// process starts a consumer in a process of its own.
func process(t *testing.T, c Config) *exec.Cmd {
	t.Helper()
	c.Log = nil
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), memberEnv+"="+string(text))
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func signal(t *testing.T, p *exec.Cmd, s syscall.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// kill ends a process with SIGKILL. The process must not have ended by itself.
func kill(t *testing.T, p *exec.Cmd) {
	t.Helper()
	signal(t, p, syscall.SIGKILL)
	err := p.Wait()
	if status, ok := p.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the process was not killed, it ended with %v", err)
	}
}

// Consumers are killed, or stopped until they have lost their partitions and then let go on, at random moments. In the
// end the table and the dead letters are those of a run that nobody disturbed.
func TestKills(t *testing.T) {
	_, at := broker(t, 3)
	c := config(t, at)
	c.UntilEnd, c.FileRecords, c.FileAge, c.MaxDeadShare = false, 25, 100*time.Millisecond, 1
	kills, stops := 24, 4
	last := 0
	work := func() {
		var records []kafka.Message
		for range 100 {
			last++
			records = append(records, record(last, document(last, "", "x")))
			switch last % 20 {
			case 0:
				records = append(records, record(last, "no xml "+ucid(last)))
			case 1:
				records = append(records, record(last, document(last, "", "x")))
			}
		}
		publish(t, at, records...)
	}
	work()
	p := process(t, c)
	for i := range kills + stops {
		work()
		time.Sleep(time.Duration(50+rand.IntN(500)) * time.Millisecond)
		if i%7 != 3 {
			kill(t, p)
			p = process(t, c)
			continue
		}
		signal(t, p, syscall.SIGSTOP) // a zombie: it does not know that its partitions go to the next process
		next := process(t, c)
		work()
		time.Sleep(2 * sessionTimeout)
		signal(t, p, syscall.SIGCONT)
		time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		kill(t, p)
		p = next
	}
	signal(t, p, syscall.SIGKILL)
	_ = p.Wait()

	c.UntilEnd = true
	consumed(t, c)
	checkOnce(t, c, last)

	undisturbed := c
	undisturbed.Workspace, undisturbed.Group = workspace.Dir(t.TempDir()), "undisturbed"
	want := consumed(t, undisturbed)
	if got, want := contents(t, c), contents(t, undisturbed); !slices.Equal(got, want) {
		t.Errorf("the rows differ from those of an undisturbed run: %s", difference(got, want))
	}
	list := deadletter.Default()
	list.Cluster, list.Limit = at, 10_000
	listing, err := deadletter.List(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	if listing.Troubles != want.DeadLetters || want.DeadLetters != int64(last/20) {
		t.Errorf("%d dead letters, an undisturbed run had %d, want %d", listing.Troubles, want.DeadLetters, last/20)
	}
	t.Logf("%d kills, %d zombies, %d documents, %d files, %d letters of %d documents", kills, stops, last, len(files(t, c)), listing.Letters, want.DeadLetters)
}

// contents describes the rows, sorted.
func contents(t *testing.T, c Config) []string {
	t.Helper()
	var all []string
	for _, r := range rows(t, c) {
		all = append(all, strings.Join([]string{r.UCID, r.Source.SHA256, r.Source.Path, fmt.Sprint(r.Source.Partition, r.Source.Offset), r.DescriptionEN}, " "))
	}
	slices.Sort(all)
	return all
}
