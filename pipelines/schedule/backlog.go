package schedule

import (
	"context"
	"errors"

	"dssdnet/internal/chain"
	"dssdnet/internal/cluster"
	"dssdnet/schemas"
)

// backlog is what the topic holds for consume.
type backlog struct {
	waiting int64 // records that are in the topic and not in documents/
	taken   int64 // records that documents/ covers
}

// counter counts the backlog of a topic. It reads only the names of files it has seen before.
type counter struct {
	topic     string
	documents *chain.Folder[schemas.Document]
	cluster   func(context.Context) (cluster.Config, error)
}

func newCounter(c Config) *counter {
	return &counter{
		topic:     c.Topic,
		documents: chain.NewFolder[schemas.Document](c.Workspace.Table(schemas.Documents.Name), schemas.Documents),
		cluster:   c.Cluster,
	}
}

// count compares the end of each partition with the position that the files in documents/ are. A topic that nobody
// has made yet holds nothing.
func (c *counter) count(ctx context.Context) (backlog, error) {
	kafka, err := c.cluster(ctx)
	if err != nil {
		return backlog{}, err
	}
	id, err := cluster.ID(ctx, kafka)
	if err != nil {
		return backlog{}, err
	}
	// The positions come first: a consumer that is at work moves them past ends that were read before.
	positions, err := c.positions(id)
	if err != nil {
		return backlog{}, err
	}
	spans, err := cluster.Spans(ctx, kafka, c.topic)
	if missing := (*cluster.NoTopicError)(nil); errors.As(err, &missing) {
		return backlog{}, nil
	}
	if err != nil {
		return backlog{}, err
	}
	var b backlog
	for partition, span := range spans {
		at := positions[partition]
		source := chain.Source{ClusterID: id, Topic: c.topic, Partition: partition}
		if err := c.documents.Check(source, at, span); err != nil {
			return backlog{}, err
		}
		b.taken += at.Next
		b.waiting += span.End - max(at.Next, span.First)
	}
	return b, nil
}

// positions returns where the chains of the topic end. A partition without files is not among them.
func (c *counter) positions(clusterID string) (map[int]chain.Position, error) {
	names, err := chain.List(c.documents.Dir())
	if err != nil {
		return nil, err
	}
	positions := make(map[int]chain.Position)
	for _, n := range names {
		if _, done := positions[n.Partition]; done || n.Topic != c.topic {
			continue
		}
		at, err := c.documents.Recover(chain.Source{ClusterID: clusterID, Topic: c.topic, Partition: n.Partition})
		if err != nil {
			return nil, err
		}
		positions[n.Partition] = at
	}
	return positions, nil
}
