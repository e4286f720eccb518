package trec

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"dssdnet/internal/fault"
	"dssdnet/internal/manifest"
)

// Run is a ranking of each of some topics.
type Run struct {
	Input    manifest.Input // the file; zero for a run that was made with a [Builder]
	Tag      string         // of the first line
	Counts   Counts
	topics   []string
	rankings map[string][]Candidate
}

// Candidate is a patent in a ranking.
type Candidate struct {
	ID    string
	Score float64 // rounded to float32 unless Options.Exact
}

// Counts are what was met in a run.
type Counts struct {
	Rows           int64  `json:"rows"`                      // lines
	Topics         int64  `json:"topics"`                    // topics with a line
	CanonicalIDs   int64  `json:"canonical_ids"`             // lines whose id was not that of a patent, and was made it
	Duplicates     int64  `json:"duplicates"`                // lines of a patent that has a better rank in the topic, dropped
	TiedRows       int64  `json:"tied_rows"`                 // ranks whose score is that of the rank before: their order is that of the ids
	Scattered      int64  `json:"scattered"`                 // times that lines of a topic came back after those of another
	ScatteredTopic string `json:"scattered_topic,omitempty"` // the first such topic
}

// ReadRun reads a run file.
func ReadRun(ctx context.Context, path string, o Options) (*Run, error) {
	b := NewBuilder(o)
	input, err := eachLine(ctx, path, "run file", func(columns [][]byte) error {
		if len(columns) != 6 {
			return fmt.Errorf("%d columns, a run has 6 (topic Q0 id rank score tag)%s", len(columns), looksLikeQrels(len(columns)))
		}
		score, err := strconv.ParseFloat(view(columns[4]), 64)
		if err != nil && !math.IsInf(score, 0) {
			return fmt.Errorf("topic %.60s: the score %.60q is not a number", columns[0], columns[4])
		}
		if b.run.Tag == "" {
			b.run.Tag = string(columns[5])
		}
		return b.add(columns[0], columns[2], score)
	})
	if err != nil {
		return nil, err
	}
	if b.run.Counts.Rows == 0 {
		return nil, fault.New(fault.Rejected, "run file %s is empty: the command that made it has found nothing, or failed", path)
	}
	run := b.Run()
	run.Input = input
	return run, nil
}

func looksLikeQrels(columns int) string {
	if columns == 3 || columns == 4 {
		return ": is it a qrels file?"
	}
	return ""
}

// Builder makes a run of rows in any order.
type Builder struct {
	options Options
	run     *Run
	ids     arena
	current string // topic of the last row
	rows    []Candidate
}

// NewBuilder starts a run.
func NewBuilder(o Options) *Builder {
	return &Builder{options: o, run: &Run{rankings: map[string][]Candidate{}}}
}

// Add adds a row. A score that is no number, or infinite, is refused.
func (b *Builder) Add(topic, id string, score float64) error {
	return b.add([]byte(topic), []byte(id), score)
}

func (b *Builder) add(topic, id []byte, score float64) error {
	if !b.options.Exact && !math.IsInf(score, 0) {
		score = float64(float32(score))
		if math.IsInf(score, 0) {
			return fmt.Errorf("topic %.60s: the score of %.60s is too large for float32, as which scores are compared: use --exact", topic, id)
		}
	}
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return fmt.Errorf("topic %.60s: the score of %.60s is %v, which has no place in an order: the model that made it has diverged", topic, id, score)
	}
	if string(topic) != b.current || b.run.Counts.Rows == 0 {
		b.turnTo(topic)
	}
	b.run.Counts.Rows++
	patent := ""
	if !b.options.RawIDs {
		var changed bool
		if patent, changed = canonical(id); changed {
			b.run.Counts.CanonicalIDs++
		}
	}
	if patent == "" {
		patent = b.ids.keep(id)
	}
	b.rows = append(b.rows, Candidate{ID: patent, Score: score})
	return nil
}

// turnTo makes a topic the current one.
func (b *Builder) turnTo(topic []byte) {
	if b.rows != nil {
		b.run.rankings[b.current] = b.rows
	}
	rows, seen := b.run.rankings[string(topic)]
	b.current = string(topic)
	if seen {
		if b.run.Counts.Scattered++; b.run.Counts.ScatteredTopic == "" {
			b.run.Counts.ScatteredTopic = b.current
		}
	} else {
		b.run.topics = append(b.run.topics, b.current)
		rows = make([]Candidate, 0, max(16, len(b.rows)))
	}
	b.rows = rows
}

// Run puts the rows of every topic in their order and returns the run. No call follows.
func (b *Builder) Run() *Run {
	if b.rows != nil {
		b.run.rankings[b.current] = b.rows
	}
	b.run.Counts.Topics = int64(len(b.run.topics))
	order(b.run)
	return b.run
}

// Topics are the ids of the topics, in the order in which they first came.
func (r *Run) Topics() []string { return slices.Clone(r.topics) }

// Ranking is the ranking of a topic, best first and without duplicates; nil for a topic that the run has not.
func (r *Run) Ranking(topic string) []Candidate { return r.rankings[topic] }
