package torch

import (
	"bytes"
	"errors"
	"runtime"

	"dssdnet/internal/fault"
)

const errorBytes = 2048 // DT_ERROR_BYTES

// Session is one goroutine's use of one device.
type Session struct {
	c        *calls
	device   Device
	scopes   []*scope
	err      error // the first failure that no scope has returned yet
	mode     mode
	training bool
	text     [errorBytes]byte // what a failed call says
}

// Options of a session.
type Options struct {
	Device  Device
	Threads int // worker threads of CPU operations; 0 is one per core that this process may use, GOMAXPROCS
}

// Do loads the library and runs f with a session, in a goroutine that holds its OS thread. All tensors of the session
// are freed when f returns. The error is f's, else the session's first failure.
func Do(o Options, f func(*Session) error) error {
	c, err := load()
	if err != nil {
		return err
	}
	if n := c.cudaDevices(); int64(o.Device) >= n {
		return fault.New(fault.Usage, "device %s: libtorch %s sees %d CUDA devices; use --device cpu, or build the library against a "+
			"PyTorch with CUDA (make native PYTHON=python3)", o.Device, c.version(), n)
	}
	done := make(chan error, 1)
	go func() {
		err := errors.New("a session's goroutine ended before its function returned") // as t.FailNow does in a test
		defer func() { done <- err }()
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine, and so do its libtorch states
		s := &Session{c: c, device: o.Device, mode: mode{grad: true, autocast: none}}
		if o.Threads == 0 {
			o.Threads = runtime.GOMAXPROCS(0) // libtorch's own choice may be fewer: it counts no second thread of a core
		}
		c.setThreads(int64(o.Threads))
		err = s.Scope(func() error { return f(s) })
	}()
	return <-done
}

// Device is where the session's tensors live.
func (s *Session) Device() Device { return s.device }

// DeviceName is the device's own name: "NVIDIA H200".
func (s *Session) DeviceName() string {
	var buffer [256]byte
	s.c.deviceName(int64(s.device), &buffer[0], int64(len(buffer)))
	return text(buffer[:])
}

// Threads is the number of worker threads of CPU operations.
func (s *Session) Threads() int { return int(s.c.threads()) }

// MemoryUsed is the bytes of device memory in use now, by all processes; 0 for the CPU.
func (s *Session) MemoryUsed() int64 {
	n := s.c.memoryUsed(int64(s.device), s.report())
	s.check(n >= 0)
	return n
}

// Synchronize waits until the device has done all that was asked of it.
func (s *Session) Synchronize() {
	if s.err == nil {
		s.check(s.c.synchronize(int64(s.device), s.report()) >= 0)
	}
}

// Err is the first failure that no scope has returned yet. Code that runs on after operations, and is not itself in
// need of their values, does not have to ask.
func (s *Session) Err() error { return s.err }

// Fail latches an error that is not libtorch's: a model uses it for shapes it refuses. Only the first counts.
func (s *Session) Fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// report is where the next call may write why it failed.
func (s *Session) report() *byte {
	s.text[0] = 0
	return &s.text[0]
}

// check latches what the last call wrote unless it went well.
func (s *Session) check(ok bool) {
	if ok || s.err != nil {
		return
	}
	s.err = errors.New("libtorch: " + text(s.text[:]))
}

// text is the string of a buffer that ends at a zero byte.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
