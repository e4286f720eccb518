package merge

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// TestFullDisk merges on a file system that is too small for the new patents/.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=12m"); err != nil {
		t.Skipf("needs to mount a small tmpfs, as root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	c := config(t)
	c.Workspace = workspace.Dir(dir)
	noise := func(n int) func(*schemas.Document) { // does not compress below half
		return func(d *schemas.Document) {
			data := make([]byte, n/2)
			_, _ = rand.Read(data)
			d.DescriptionDE = hex.EncodeToString(data)
		}
	}
	addDocuments(t, c.Workspace, "a", document("EP-0000001-A1", 0, noise(2000)))
	mustRun(t, c)
	before := contents(t, c.Workspace)

	var rows []schemas.Document
	for i := range 60 {
		rows = append(rows, document(fmt.Sprintf("EP-%07d-A1", i), int64(i+1), noise(200_000)))
	}
	addDocuments(t, c.Workspace, "b", rows...)
	_, err := Run(context.Background(), c)
	if err == nil || !strings.Contains(err.Error(), "the disk is full") || !strings.Contains(err.Error(), "free space") {
		t.Fatalf("error %v", err)
	}
	if diff := cmp.Diff(before, contents(t, c.Workspace)); diff != "" {
		t.Errorf("patents changed: %s", diff)
	}
	if _, err := os.Stat(filepath.Join(c.Workspace.Temp(), stage)); !os.IsNotExist(err) {
		t.Errorf("the temporary folder is left: %v", err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	if r := mustRun(t, c); r.Patents != 60 {
		t.Errorf("with space again: %+v", r)
	}
}
