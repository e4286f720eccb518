// Package torchtest opens sessions for tests of packages that compute with libtorch.
package torchtest

import (
	"os"
	"testing"

	"dssdnet/train/torch"
)

// DeviceEnv names the device that tests compute on instead of the CPU: "cuda:0".
const DeviceEnv = "DSSDNET_DEVICE"

// Device is the one that DeviceEnv names.
func Device(t testing.TB) torch.Device {
	t.Helper()
	name := os.Getenv(DeviceEnv)
	if name == "" {
		return torch.CPU
	}
	device, err := torch.ParseDevice(name)
	if err != nil {
		t.Fatalf("%s: %v", DeviceEnv, err)
	}
	return device
}

// Run runs f with a session on one CPU thread, or on the device of DeviceEnv, and fails the test with the session's
// error. It skips the test when the native library is not built.
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
	return torch.Do(torch.Options{Device: Device(t), Threads: 1}, f)
}
