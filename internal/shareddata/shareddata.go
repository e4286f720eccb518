// Package shareddata finds the folder of real patents that lies beside a checkout on some machines. Tests on real
// input use it and are skipped elsewhere; nothing outside tests may import it.
package shareddata

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the folder of real data: $DSSDNET_SHARED, or ../shared beside the repository. It skips the test when
// there is none.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("DSSDNET_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	shared := filepath.Join(filepath.Dir(dir), "shared")
	if _, err := os.Stat(filepath.Join(shared, "data")); err != nil {
		t.Skip("needs the folder of real patents: ../shared beside the repository, or DSSDNET_SHARED")
	}
	return shared
}
