package lineage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// queued is how many jobs wait at most, each an event of up to some 100 KB.
	queued = 256
	// closingTime is how long close waits for the jobs that are left.
	closingTime = 30 * time.Second
)

// job sends one event. It is called once, from the queue's goroutine.
type job func(ctx context.Context) error

// queue does jobs in their order on a goroutine of its own. One that fails is lost and counted.
type queue struct {
	name string // of the system, in messages
	log  *slog.Logger
	// unreachable reports whether the server did not answer when it was last asked. Then nothing more is tried once
	// the queue closes.
	unreachable func() bool

	jobs    chan job
	cancel  context.CancelFunc
	closing chan struct{}
	ended   chan struct{}

	mu     sync.Mutex
	closed bool
	lost   int
	first  error // of the first job lost
}

func newQueue(name string, log *slog.Logger, unreachable func() bool) *queue {
	q := &queue{
		name: name, log: log, unreachable: unreachable,
		jobs: make(chan job, queued), closing: make(chan struct{}), ended: make(chan struct{}),
	}
	ctx, cancel := context.WithCancel(context.Background())
	q.cancel = cancel
	go q.work(ctx)
	return q
}

var (
	errFull   = errors.New("too many events wait to be sent")
	errClosed = errors.New("the observers are closed")
)

// add hands a job over without waiting. A job that finds no room is lost.
func (q *queue) add(j job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		q.lose(errClosed)
		return
	}
	select {
	case q.jobs <- j:
	default:
		q.lose(errFull)
	}
}

// lose counts a lost job, and tells of the first. q.mu is held.
func (q *queue) lose(err error) {
	q.lost++
	if q.first == nil {
		q.first = err
		q.log.Warn("events of this run do not arrive; the run goes on without", "at", q.name, "error", err)
	}
}

func (q *queue) work(ctx context.Context) {
	defer close(q.ended)
	for j := range q.jobs {
		err := ctx.Err()
		if err == nil && q.isClosing() && q.unreachable() {
			err = errors.New("the server does not answer")
		}
		if err == nil {
			err = j(ctx)
		}
		if err != nil {
			q.mu.Lock()
			q.lose(err)
			q.mu.Unlock()
		}
	}
}

func (q *queue) isClosing() bool {
	select {
	case <-q.closing:
		return true
	default:
		return false
	}
}

// close waits until the jobs are done, or ctx or the time for it ends: what is left then is lost. The error says how
// much was lost since the queue was made.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.closing)
		close(q.jobs)
	}
	q.mu.Unlock()
	ctx, stop := context.WithTimeout(ctx, closingTime)
	defer stop()
	select {
	case <-q.ended:
	case <-ctx.Done():
		q.cancel()
		<-q.ended
	}
	q.cancel()
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lost == 0 {
		return nil
	}
	return fmt.Errorf("%s was not told of %d events of the runs, the first because %w", q.name, q.lost, q.first)
}
