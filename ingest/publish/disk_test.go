package publish

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dssdnet/ingest/broker"
	"dssdnet/internal/workspace"
)

// TestFullDisk publishes onto a disk that fills up, then makes room: what was acknowledged is there, and publishing
// again completes it.
func TestFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root to mount a small tmpfs")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("needs to mount a small tmpfs: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	const documents = 200
	b := broker.Default()
	b.Workspace, b.SyncWrites = workspace.Dir(dir), false
	running, err := broker.Open(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	c := Default()
	c.Paths, c.Workspace, c.Cluster, c.MaxWait = []string{tree(t, documents)}, b.Workspace, running.Cluster(), time.Second
	result, err := Run(t.Context(), c)
	if err == nil || !strings.Contains(err.Error(), "the brokers take no records") {
		t.Fatalf("result %+v, error %v", result, err)
	}
	if got := len(flat(recordsOf(t, c.Cluster, c.Topic))); got < int(result.Documents) {
		t.Errorf("the topic has %d records of %d acknowledged", got, result.Documents)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	if _, err = Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range flat(recordsOf(t, c.Cluster, c.Topic)) {
		found[string(m.Key)] = true
	}
	if len(found) != documents {
		t.Errorf("%d documents are in the topic, want %d", len(found), documents)
	}
}
