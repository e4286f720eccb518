// Package torchtest opens sessions for tests of packages that compute with libtorch.
package torchtest

import (
	"testing"

	"dssdnet/train/torch"
)

// Run runs f with a session on one CPU thread, and fails the test with the session's error. It skips the test when
// the native library is not built.
func Run(t *testing.T, f func(s *torch.Session) error) {
	t.Helper()
	if err := Do(t, f); err != nil {
		t.Fatal(err)
	}
}

// Do is Run for tests that want the error.
func Do(t *testing.T, f func(s *torch.Session) error) error {
	t.Helper()
	if err := torch.Available(); err != nil {
		t.Skipf("needs the native library: %v", err)
	}
	return torch.Do(torch.Options{Device: torch.CPU, Threads: 1}, f)
}
