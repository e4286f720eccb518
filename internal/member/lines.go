package member

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/segmentio/kafka-go"

	"dssdnet/internal/cluster"
)

// lines are the connections of a kafka.Reader or kafka.ConsumerGroup. Closing one of those waits for what it is
// waiting for: seconds of a fetch, or the join of a group whose other member has died. Hanging up ends that.
type lines struct {
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// dialer makes a dialer whose connections l holds.
func (l *lines) dialer(c cluster.Config) (*kafka.Dialer, error) {
	d, err := c.Dialer()
	if err != nil {
		return nil, err
	}
	plain := &net.Dialer{Timeout: d.Timeout}
	d.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := plain.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return l.hold(conn), nil
	}
	return d, nil
}

func (l *lines) hold(conn net.Conn) net.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = make(map[net.Conn]struct{})
	}
	l.open[conn] = struct{}{}
	return line{conn, l}
}

// end calls a Close and, if it has not returned after patience, hangs up until it does.
func (l *lines) end(closing func() error, patience time.Duration) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = closing()
	}()
	wait := time.NewTimer(patience)
	defer wait.Stop()
	for {
		select {
		case <-closed:
			return
		case <-wait.C:
			l.hangUp()
			wait.Reset(20 * time.Millisecond) // it may have dialled in between
		}
	}
}

func (l *lines) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.open {
		_ = conn.Close()
	}
	clear(l.open)
}

type line struct {
	net.Conn
	lines *lines
}

func (c line) Close() error {
	c.lines.mu.Lock()
	delete(c.lines.open, c.Conn)
	c.lines.mu.Unlock()
	return c.Conn.Close()
}
