package sampler

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"dssdnet/schemas/arrowfile"
)

// Folders of the exports. sentenceTransformers has a line a pair, in the order of the Arrow files, with the columns
// that its trainers take in this order; tevatron has a line a topic, with its golds in pool order.
const (
	sentenceTransformers = "jsonl/sentence-transformers"
	tevatron             = "jsonl/tevatron"
)

type sentencePair struct {
	Sentence1 string `json:"sentence1"`
	Sentence2 string `json:"sentence2"`
	Label     int8   `json:"label"`
}

type tevatronLine struct {
	QueryID   string    `json:"query_id"`
	Query     string    `json:"query"`
	Positives []passage `json:"positive_passages"`
	Negatives []passage `json:"negative_passages"`
}

type passage struct {
	DocID string `json:"docid"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// exports starts the writing of a split for other trainers.
func (j *job) exports(ctx context.Context, files *errgroup.Group, split side, d *dataset) {
	name := split.String() + ".jsonl"
	files.Go(func() error {
		return jsonLines(filepath.Join(j.newDir(), sentenceTransformers, name), func(line func(any) error) error {
			return j.sentencePairs(ctx, d, line)
		})
	})
	files.Go(func() error {
		return jsonLines(filepath.Join(j.newDir(), tevatron, name), func(line func(any) error) error {
			return j.tevatronLines(ctx, d, line)
		})
	})
}

func (j *job) sentencePairs(ctx context.Context, d *dataset, line func(any) error) error {
	for place := range d.units() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := j.unitRows(d.unit(place), func(row *arrowfile.Pair) error {
			return line(sentencePair{joinText(row.QueryTitle, row.QueryAbstract), joinText(row.DocTitle, row.DocAbstract), row.Label})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *job) tevatronLines(ctx context.Context, d *dataset, line func(any) error) error {
	for from := 0; from < len(d.pairs); {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		number := d.pairs[from].topic
		to := from
		for to < len(d.pairs) && d.pairs[to].topic == number {
			to++
		}
		out := tevatronLine{QueryID: j.topics[number].id}
		err := j.unitRows(d.pairs[from:to], func(row *arrowfile.Pair) error {
			out.Query = joinText(row.QueryTitle, row.QueryAbstract)
			p := passage{DocID: row.DocID, Title: row.DocTitle, Text: row.DocAbstract}
			if row.Label == 1 {
				out.Positives = append(out.Positives, p)
			} else {
				out.Negatives = append(out.Negatives, p)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := line(out); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// joinText is the text of a patent as a model reads it.
func joinText(title, abstract string) string {
	if title == "" || abstract == "" {
		return title + abstract
	}
	return title + " " + abstract
}

// jsonLines writes a file of one JSON object a line, and syncs it.
func jsonLines(path string, write func(line func(any) error) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(f, 1<<20)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	return errors.Join(write(encoder.Encode), buffer.Flush(), f.Sync(), f.Close())
}
