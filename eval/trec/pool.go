package trec

import (
	"errors"
	"fmt"
	"path/filepath"

	"dssdnet/index/pool"
)

// ReadPool is the pool in a folder as a run.
func ReadPool(dir string, o Options) (*Run, error) {
	reader, err := pool.Open(dir)
	if err != nil {
		return nil, err
	}
	run, err := FromPool(reader, filepath.Base(dir), o)
	return run, errors.Join(err, reader.Close())
}

// FromPool is a pool as a run: all its topics, in memory.
func FromPool(reader *pool.Reader, name string, o Options) (*Run, error) {
	b := NewBuilder(o)
	for _, topic := range reader.Topics() {
		candidates, err := reader.Topic(topic)
		if err != nil {
			return nil, err
		}
		for _, c := range candidates {
			if err := b.Add(topic, c.PatentID, c.Score); err != nil {
				return nil, fmt.Errorf("pool %s: %w", name, err)
			}
		}
	}
	return b.Run(), nil
}
