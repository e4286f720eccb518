package torch

import (
	"fmt"
	"strconv"
	"strings"

	"dssdnet/internal/fault"
)

// Device is where a session computes.
type Device int64

// CPU is the processor; CUDA devices are numbered from 0.
const CPU Device = -1

// ParseDevice reads "cpu", "cuda" or "cuda:1".
func ParseDevice(text string) (Device, error) {
	switch kind, number, numbered := strings.Cut(text, ":"); {
	case text == "cpu":
		return CPU, nil
	case text == "cuda":
		return 0, nil
	case kind == "cuda" && numbered:
		n, err := strconv.Atoi(number)
		if err == nil && n >= 0 {
			return Device(n), nil
		}
	}
	return CPU, fault.New(fault.Usage, "device %q: want cpu, cuda or cuda:N", text)
}

func (d Device) String() string {
	if d == CPU {
		return "cpu"
	}
	return fmt.Sprintf("cuda:%d", int64(d))
}
