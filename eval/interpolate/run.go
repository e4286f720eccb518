package interpolate

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"dssdnet/eval/trec"
	"dssdnet/index/pool"
	"dssdnet/internal/durable"
)

// Run writes the run.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	model, err := trec.ReadRun(ctx, c.Model, trec.Options{Exact: true})
	if err != nil {
		return Result{}, err
	}
	base, err := c.base(ctx)
	if err != nil {
		return Result{}, err
	}
	result := Result{Run: c.Run, File: c.file()}
	out, err := durable.Create(c.file())
	if err != nil {
		return result, err
	}
	defer out.Discard()
	zipped := gzip.NewWriter(out)
	if err := c.write(zipped, model, base, &result); err != nil {
		return result, fmt.Errorf("write run %s: %w", c.Run, err)
	}
	if err := zipped.Close(); err != nil {
		return result, fmt.Errorf("write run %s: %w", c.Run, err)
	}
	if result.OnlyOne > 0 || result.Unmatched > 0 {
		c.Log.Warn("the two runs are not of the same candidates", "topics of one only", result.OnlyOne, "candidates of one only", result.Unmatched)
	}
	return result, out.Replace()
}

func (c Config) base(ctx context.Context) (*trec.Run, error) {
	if c.Base != "" {
		return trec.ReadRun(ctx, c.Base, trec.Options{Exact: true})
	}
	reader, err := pool.Open(pool.Dir(c.Workspace, c.Pool))
	if err != nil {
		return nil, err
	}
	b := trec.NewBuilder(trec.Options{Exact: true})
	for _, topic := range reader.Topics() {
		candidates, err := reader.Topic(topic)
		if err != nil {
			return nil, errors.Join(err, reader.Close())
		}
		for _, candidate := range candidates {
			if err := b.Add(topic, candidate.PatentID, candidate.Score); err != nil {
				return nil, errors.Join(fmt.Errorf("pool %s: %w", c.Pool, err), reader.Close())
			}
		}
	}
	return b.Run(), reader.Close()
}

// write writes the topics of the model, then those that only a base run has; a pool's are of no interest then.
func (c Config) write(w io.Writer, model, base *trec.Run, result *Result) error {
	lines := bufio.NewWriter(w)
	topics := model.Topics()
	if c.Base != "" {
		for _, topic := range base.Topics() {
			if model.Ranking(topic) == nil {
				topics = append(topics, topic)
			}
		}
	}
	for _, topic := range topics {
		ranking := c.mixed(model.Ranking(topic), base.Ranking(topic), result)
		for i, row := range ranking {
			result.Rows++
			if _, err := fmt.Fprintf(lines, "%s Q0 %s %d %s %s\n", topic, row.ID, i+1, strconv.FormatFloat(row.Score, 'g', -1, 32), c.Run); err != nil {
				return err
			}
		}
	}
	return lines.Flush()
}

// mixed is the ranking of a topic.
func (c Config) mixed(model, base []trec.Candidate, result *Result) []trec.Candidate {
	if model == nil || base == nil {
		result.OnlyOne++
		return append(model, base...)
	}
	result.Topics++
	m, lowestM := scaled(model, c.Scale)
	b, lowestB := scaled(base, c.Scale)
	ids := make([]string, 0, len(m))
	for id := range m {
		ids = append(ids, id)
	}
	for id := range b {
		if _, both := m[id]; !both {
			ids = append(ids, id)
		}
	}
	result.Unmatched += 2*len(ids) - len(m) - len(b)
	ranking := make([]trec.Candidate, 0, len(ids))
	for _, id := range ids {
		ranking = append(ranking, trec.Candidate{ID: id, Score: float64(float32(c.Weight*or(m, id, lowestM) + (1-c.Weight)*or(b, id, lowestB)))})
	}
	slices.SortFunc(ranking, func(x, y trec.Candidate) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(y.ID, x.ID))
	})
	return ranking
}

func or(scores map[string]float64, id string, lowest float64) float64 {
	if score, ok := scores[id]; ok {
		return score
	}
	return lowest
}
