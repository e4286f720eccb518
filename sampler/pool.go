package sampler

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/progress"
	"dssdnet/internal/workspace"
)

// pools holds the candidates of every topic in pool order: their ordinals, 4 bytes each, in a temporary file. Pools
// come in any order of topics; the file makes them readable by topic without holding them.
type pools struct {
	f     *os.File
	size  int64
	build string // index build that was searched
}

// poolBlock is where the candidates of a topic lie. Rank r is the candidate at r-1.
type poolBlock struct {
	at   int64
	rows int32
}

type poolRow struct {
	TopicID    string `parquet:"topic_id,dict"`
	PatentID   string `parquet:"patent_id"`
	Rank       int32  `parquet:"rank"`
	IndexBuild string `parquet:"index_build,dict"`
}

// readPools reads the pools of the topics into a file in the folder temp. Rows of other topics are passed over.
func readPools(ctx context.Context, from *source, temp string, lib *library, topics []topic, task progress.Task) (*pools, error) {
	f, err := os.CreateTemp(temp, "pools-")
	if err != nil {
		return nil, err
	}
	r := &poolReader{pools: &pools{f: f}, lib: lib, topics: topics, number: map[string]int{}, current: -1}
	for i := range topics {
		r.number[topics[i].id] = i
	}
	for _, file := range from.files {
		r.file = file.Path
		err := each(ctx, file, func(row *poolRow) error {
			task.Add(1)
			return r.row(row)
		})
		if err == nil {
			err = r.endTopic()
		}
		if err != nil {
			r.close()
			return nil, err
		}
	}
	return r.pools, nil
}

// poolReader takes the rows of all pools: topic by topic, in rank order.
type poolReader struct {
	*pools
	lib     *library
	topics  []topic
	number  map[string]int
	file    string
	name    string   // topic of the last row
	current int      // its number, -1 when it is not in the run
	ranked  []uint32 // its candidates so far
}

func (r *poolReader) row(row *poolRow) error {
	if row.IndexBuild != r.build {
		if r.build != "" {
			return fault.New(fault.Rejected, "%s was searched in index build %s, other rows of the pools in build %s: search all topics in one build (dssdnet index search)", r.file, row.IndexBuild, r.build)
		}
		r.build = strings.Clone(row.IndexBuild)
	}
	if row.TopicID != r.name {
		if err := r.endTopic(); err != nil {
			return err
		}
		r.name = strings.Clone(row.TopicID)
		number, ok := r.number[r.name]
		if r.current = number; !ok {
			r.current = -1
		}
	}
	if r.current < 0 {
		return nil
	}
	if want := int32(len(r.ranked)) + 1; row.Rank != want {
		return r.disorder("rank %d follows where %d should", row.Rank, want)
	}
	patent := r.lib.find(row.PatentID)
	if patent == nowhere {
		return fault.New(fault.Rejected, "%s has patent %s, which patents/ does not have: the pool is of an older index build, run dssdnet index build and dssdnet index search again", r.file, row.PatentID)
	}
	r.ranked = append(r.ranked, patent)
	return nil
}

func (r *poolReader) disorder(format string, args ...any) error {
	return fault.New(fault.Rejected, "%s, topic %s: %s: the pool is damaged or not in pool order, search it again (dssdnet index search --force)", r.file, r.name, fmt.Sprintf(format, args...))
}

// endTopic writes the candidates of the topic that the rows were about.
func (r *poolReader) endTopic() error {
	defer func() { r.name, r.current, r.ranked = "", -1, r.ranked[:0] }()
	if r.current < 0 {
		return nil
	}
	t := &r.topics[r.current]
	if t.pool.rows > 0 {
		return r.disorder("its rows stand in two places")
	}
	sorted := slices.Sorted(slices.Values(r.ranked))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return r.disorder("patent %s stands twice", r.lib.id(sorted[i]))
		}
	}
	block := make([]byte, 0, 4*len(r.ranked))
	for _, patent := range r.ranked {
		block = binary.LittleEndian.AppendUint32(block, patent)
	}
	if _, err := r.f.WriteAt(block, r.size); err != nil {
		return fmt.Errorf("write the pools to a temporary file: %w", err)
	}
	t.pool = poolBlock{at: r.size, rows: int32(len(r.ranked))}
	r.size += int64(len(block))
	return nil
}

// of returns the candidates of a topic in pool order. It is safe for concurrent use.
func (p *pools) of(t *topic) ([]uint32, error) {
	block := make([]byte, 4*t.pool.rows)
	if _, err := p.f.ReadAt(block, t.pool.at); err != nil {
		return nil, fmt.Errorf("read the pools from the temporary file: %w", err)
	}
	ranked := make([]uint32, t.pool.rows)
	for i := range ranked {
		ranked[i] = binary.LittleEndian.Uint32(block[4*i:])
	}
	return ranked, nil
}

func (p *pools) close() { _ = p.f.Close() }

// checkBuild compares the index build of the pools with the one that searches use now.
func (p *pools) checkBuild(ws workspace.Dir, allowStale bool, log *slog.Logger) error {
	path := filepath.Join(string(ws), "index", "CURRENT")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	current := strings.TrimSpace(string(data))
	switch {
	case p.build == "" || p.build == current:
		return nil
	case allowStale:
		log.Warn("the pools are of another index build", "pools", p.build, "current", current)
		return nil
	}
	return fault.New(fault.Rejected, "the pools were searched in index build %s, the current build is %s: search again (dssdnet index search), or use them as they are with --allow-stale-pool", p.build, current)
}

// rankOf indexes a pool by patent.
func rankOf(ranked []uint32) func(patent uint32) int32 {
	type entry struct {
		patent uint32
		rank   int32
	}
	index := make([]entry, len(ranked))
	for i, patent := range ranked {
		index[i] = entry{patent, int32(i) + 1}
	}
	slices.SortFunc(index, func(a, b entry) int { return cmp.Compare(a.patent, b.patent) })
	return func(patent uint32) int32 {
		at, ok := slices.BinarySearchFunc(index, patent, func(e entry, patent uint32) int { return cmp.Compare(e.patent, patent) })
		if !ok {
			return 0
		}
		return index[at].rank
	}
}
