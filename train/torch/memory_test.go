package torch_test

import (
	"testing"

	"dssdnet/train/torch"
	"dssdnet/train/torch/torchtest"
)

// What is kept for coming tensors is no more than was in use at one time, and goes back when the last tensor does.
func TestKeptMemory(t *testing.T) {
	if torchtest.Device(t) != torch.CPU {
		t.Skip("is about memory of the CPU")
	}
	const megabyte, largest = 1 << 20, 120
	torchtest.Run(t, func(s *torch.Session) error { s.Zeros(1); return nil }) // loads the library
	before := residentBytes(t)
	torchtest.Run(t, func(s *torch.Session) error {
		s.Zeros(1) // without any tensor nothing is kept
		for size := 3; size <= largest; size += 3 {
			if err := s.Scope(func() error { s.Full(1, torch.Float32, size, megabyte/4); return nil }); err != nil {
				return err
			}
		}
		if grown := residentBytes(t) - before; grown > (largest+32)*megabyte {
			t.Errorf("one tensor after another of up to %d MiB left %d MiB", largest, grown/megabyte)
		}
		return nil
	})
	if grown := residentBytes(t) - before; grown > 32*megabyte {
		t.Errorf("the session left %d MiB", grown/megabyte)
	}
}

func TestTooMuchMemory(t *testing.T) {
	err := torchtest.Do(t, func(s *torch.Session) error {
		s.Full(1, torch.Float32, 1<<30, 1<<20)
		return s.Err()
	})
	if err == nil {
		t.Error("4 PiB were given")
	}
}
