package interpolate

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strconv"

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
	c, err := c.weighed()
	if err != nil {
		return Result{}, err
	}
	model, err := trec.ReadRun(ctx, c.Model, trec.Options{Exact: true})
	if err != nil {
		return Result{}, err
	}
	base, err := c.base(ctx)
	if err != nil {
		return Result{}, err
	}
	result := Result{Run: c.Run, File: c.file(), Weight: c.Weight}
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
	return trec.ReadPool(pool.Dir(c.Workspace, c.Pool), trec.Options{Exact: true})
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
	aligned := c.Align(model, base)
	result.Unmatched += aligned.Unmatched
	return aligned.Mix(c.Weight)
}
