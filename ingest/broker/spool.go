package broker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"dssdnet/internal/cluster"
	"dssdnet/internal/progress"
)

// sweepEvery is how often consumed records are looked for.
const sweepEvery = 250 * time.Millisecond

// spool keeps the log of one topic small: it trims what has been consumed, and refuses producers while too much waits.
type spool struct {
	kafka  *kfake.Cluster
	client *kafka.Client
	topic  string
	limit  int64
	task   progress.Task

	// waiting is the bytes that were unconsumed at the last sweep, admitted those let in since. Together they bound
	// the log from above at every moment.
	waiting, admitted atomic.Int64
	// last is the request that refuses was asked about last, and its answer: the broker asks for the topic and again
	// for each partition.
	last    kmsg.Request
	refused bool

	cancel context.CancelFunc
	done   sync.WaitGroup
}

func startSpool(c Config, k *kfake.Cluster, at address) *spool {
	client, err := cluster.Config{Brokers: []string{at.String()}}.Client()
	if err != nil {
		panic(err) // an address of our own making
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &spool{kafka: k, client: client, topic: c.topic(), limit: int64(c.SpoolBytes), cancel: cancel,
		task: progress.Or(c.Progress).Start("broker", 0, progress.Bytes)}
	s.sweep(ctx)
	k.Fault(kfake.Fault{
		Keys: []kmsg.Key{kmsg.Produce}, Topic: s.topic, Count: -1,
		Err: kerr.ThrottlingQuotaExceeded, When: s.refuses,
	})
	s.done.Go(func() {
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				s.sweep(ctx)
			}
		}
	})
	return s
}

// stop ends the sweeps. The broker must still be up.
func (s *spool) stop() {
	s.cancel()
	s.done.Wait()
	s.task.Done()
	cluster.Release(s.client.Transport)
}

// refuses decides on a produce request. It runs on the broker's only goroutine and must not wait.
func (s *spool) refuses(r kmsg.Request) bool {
	if r != s.last {
		s.last, s.refused = r, !s.admit(r.(*kmsg.ProduceRequest))
	}
	return s.refused
}

func (s *spool) admit(r *kmsg.ProduceRequest) bool {
	var size int64
	for _, t := range r.Topics {
		for _, p := range t.Partitions {
			size += int64(len(p.Records))
		}
	}
	have := s.waiting.Load() + s.admitted.Load()
	// The first batch always goes in: a limit below the size of a batch must slow producers, not stop them.
	if have > 0 && have+size > s.limit {
		return false
	}
	s.admitted.Add(size)
	return true
}

// sweep trims what every group has consumed and measures the rest.
func (s *spool) sweep(ctx context.Context) {
	admitted := s.admitted.Load() // before the measurement: counting twice is safe, missing is not
	committed := s.committed(ctx)
	for _, p := range s.kafka.PartitionInfos(s.topic) {
		consumed, ok := committed[p.Partition]
		// The last record stays: after a kill the broker finds the next offset by the last one in the log, and
		// offsets that began again at 0 would look consumed.
		if to := min(consumed, p.HighWatermark-1); ok && to > p.LogStartOffset {
			_ = s.kafka.DeleteRecords(s.topic, p.Partition, to) // fails only when the topic has just been deleted
		}
	}
	var waiting int64
	for _, p := range s.kafka.PartitionInfos(s.topic) {
		if consumed, ok := committed[p.Partition]; !ok || consumed < p.HighWatermark {
			waiting += p.NumBytes
		}
	}
	s.waiting.Store(waiting)
	s.admitted.Add(-admitted)
	s.task.Gauge("spool_bytes", float64(waiting))
}

// committed returns, for each partition in which a group has committed, the lowest committed offset of all groups that
// have ever committed in the topic. A partition that one of them has not reached is left out.
func (s *spool) committed(ctx context.Context) map[int32]int64 {
	reply, err := s.client.ListGroups(ctx, &kafka.ListGroupsRequest{})
	if err != nil {
		return nil // the broker is stopping: nothing is trimmed
	}
	lowest, reached, groups := map[int32]int64{}, map[int32]int{}, 0
	for _, g := range reply.Groups {
		info := s.kafka.GroupInfo(g.GroupID)
		if info == nil || len(info.Commits[s.topic]) == 0 {
			continue
		}
		groups++
		for p, commit := range info.Commits[s.topic] {
			if low, ok := lowest[p]; !ok || commit.Offset < low {
				lowest[p] = commit.Offset
			}
			reached[p]++
		}
	}
	for p, n := range reached {
		if n < groups {
			delete(lowest, p)
		}
	}
	return lowest
}
