package broker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"strconv"

	"dssdnet/internal/durable"
)

// address is where the broker of a workspace listens, and the id that proves that whoever answers there is it.
type address struct {
	Port      int    `json:"port"`
	ClusterID string `json:"cluster_id"`
}

func (a address) String() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(a.Port)) }

// loadAddress returns the zero address when none has been written.
func loadAddress(path string) (address, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return address{}, nil
	}
	if err != nil {
		return address{}, err
	}
	var a address
	if err := json.Unmarshal(data, &a); err != nil {
		return address{}, fmt.Errorf("%s: %w; delete it, and the broker chooses a new port", path, err)
	}
	return a, nil
}

func (a address) save(path string) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(data, '\n'))
}

// The ports below lie outside the range from which systems take the local ports of outgoing connections: while the
// broker is down no connection can be given its port, nor can a reconnecting client connect to itself.
const (
	lowestPort  = 20000
	highestPort = 29999
)

// freePort finds a port that nobody listens on.
func freePort() (int, error) {
	for range 1000 {
		port := lowestPort + rand.IntN(highestPort-lowestPort+1)
		if portFree(port) {
			return port, nil
		}
	}
	return 0, fmt.Errorf("no free port between %d and %d on 127.0.0.1: give one with the broker's port setting", lowestPort, highestPort)
}

func portFree(port int) bool {
	l, err := net.Listen("tcp", address{Port: port}.String())
	if err != nil {
		return false
	}
	_ = l.Close()
	return true
}
