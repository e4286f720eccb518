package broker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"dssdnet/internal/cluster"
	"dssdnet/internal/durable"
)

const (
	// watchEvery is how often a process that has joined looks whether the one that serves has ended.
	watchEvery = 100 * time.Millisecond
	// patience is how long something may take before the log says what is being waited for.
	patience = 5 * time.Second
)

// Broker is the embedded broker of a workspace as one process has it: served here, or joined and watched.
type Broker struct {
	config  Config
	cluster cluster.Config
	cancel  context.CancelFunc
	watcher sync.WaitGroup

	mu     sync.Mutex
	server *server // nil while another process serves
}

// Open starts the broker of the workspace, or joins the one that another process runs, whose part it takes over when
// that one ends. It returns when the broker answers. After a kill that takes some seconds per GiB of log. ctx bounds
// Open only. The caller must Close.
func Open(ctx context.Context, c Config) (*Broker, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Workspace.Kafka(), 0o755); err != nil {
		return nil, fmt.Errorf("folder of the embedded broker: %w", err)
	}
	b := &Broker{config: c}
	for started, said := time.Now(), false; ; {
		at, err := b.start(ctx)
		if errors.Is(err, durable.ErrLocked) {
			at, err = b.join(ctx)
		}
		if err != nil {
			return nil, err
		}
		if at != (address{}) {
			b.cluster = cluster.Config{Brokers: []string{at.String()}}
			break
		}
		if !said && time.Since(started) > patience {
			said = true
			c.log().Info("waiting for the embedded broker of another process to start", "process", durable.LockNote(c.lockFile()))
		}
		if err := pause(ctx, watchEvery); err != nil {
			return nil, fmt.Errorf("the embedded broker of %s (lock %s) does not answer: %w", durable.LockNote(c.lockFile()), c.lockFile(), err)
		}
	}
	var watching context.Context
	watching, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if b.server == nil {
		b.watcher.Go(func() { b.watch(watching) })
	}
	return b, nil
}

// Cluster is how to reach the broker. It stays valid when another process takes over.
func (b *Broker) Cluster() cluster.Config { return b.cluster }

// Serving reports whether this process runs the broker.
func (b *Broker) Serving() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.server != nil
}

// Close stops the broker if this process runs it, and hands it to a process that has joined.
func (b *Broker) Close() error {
	b.cancel()
	b.watcher.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.server == nil {
		return nil
	}
	s := b.server
	b.server = nil
	return s.stop()
}

// start serves at the recorded port, or at a new one when there is none or it has been taken. The error is
// durable.ErrLocked while another process serves.
func (b *Broker) start(ctx context.Context) (address, error) {
	c := b.config
	lock, err := durable.TryLock(c.lockFile(), lockNote())
	if err != nil {
		return address{}, err
	}
	at, err := place(c)
	if err == nil {
		err = b.serve(ctx, at, lock)
	}
	if err != nil {
		return address{}, errors.Join(err, lock.Unlock())
	}
	return loadAddress(c.addressFile())
}

func (b *Broker) serve(ctx context.Context, at address, lock *durable.Lock) error {
	s, at, err := serve(ctx, b.config, at, lock)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.server = s
	b.mu.Unlock()
	b.config.log().Info("embedded broker started", "address", at.String(), "cluster", at.ClusterID)
	return nil
}

// place decides where to listen while nobody serves.
func place(c Config) (address, error) {
	at, err := loadAddress(c.addressFile())
	switch {
	case err != nil:
		return at, err
	case c.Port != 0 && !portFree(c.Port):
		return at, fmt.Errorf("port %d on 127.0.0.1 is taken by another program: set another port for the embedded broker", c.Port)
	case c.Port != 0:
		at.Port = c.Port
	case at.Port == 0:
		at.Port, err = freePort()
	case !portFree(at.Port):
		taken := at.Port
		at.Port, err = freePort()
		c.log().Warn("the embedded broker moves: its port is taken by another program", "from", taken, "to", at.Port)
	}
	return at, err
}

// join returns the address of the broker that another process runs, or the zero address when it does not answer (yet).
func (b *Broker) join(ctx context.Context) (address, error) {
	at, err := loadAddress(b.config.addressFile())
	if err != nil || at.Port == 0 {
		return address{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// Whoever answers on the port must be this workspace's broker. If nobody does, it is not there yet.
	if id, err := cluster.ID(ctx, cluster.Config{Brokers: []string{at.String()}}); err != nil || id != at.ClusterID {
		return address{}, nil
	}
	return at, nil
}

// watch takes the broker over when the process that serves has ended. It stays at the same port, for clients know no
// other.
func (b *Broker) watch(ctx context.Context) {
	c, log := b.config, b.config.log()
	var said time.Time
	for pause(ctx, watchEvery) == nil {
		lock, err := durable.TryLock(c.lockFile(), lockNote())
		if errors.Is(err, durable.ErrLocked) {
			continue
		}
		var at address
		if err == nil {
			if at, err = loadAddress(c.addressFile()); err == nil {
				err = b.serve(ctx, at, lock)
			}
			if err == nil {
				return
			}
			err = errors.Join(err, lock.Unlock())
		}
		if ctx.Err() == nil && time.Since(said) > patience {
			said = time.Now()
			log.Warn("cannot take over the embedded broker, trying again", "address", at.String(), "error", err)
		}
	}
}

// lockNote names this process to others.
func lockNote() string { return fmt.Sprintf("process %d", os.Getpid()) }

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
