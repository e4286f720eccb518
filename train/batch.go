package train

import (
	"context"
	"strings"

	"dssdnet/schemas/arrowfile"
	"dssdnet/train/wordpiece"
)

// prefetch is how many encoded batches wait for the loop.
const prefetch = 4

// batch is pairs as the encoder reads them.
type batch struct {
	tokens            wordpiece.Batch
	relevance, domain []int8
	ids               []string // "topic doc", for messages
}

// feed reads, shuffles and tokenizes ahead of the loop, in a goroutine of its own.
type feed struct {
	batches chan batch
	err     error // why batches was closed, nil at the end of the pass; read it after that
	stop    context.CancelFunc
}

// startFeed makes one pass over a dataset as batches of up to size pairs, leaving the first `skip` batches out.
func startFeed(ctx context.Context, d *dataset, o order, t *wordpiece.Tokenizer, size, maxTokens, skip int) *feed {
	ctx, stop := context.WithCancel(ctx)
	f := &feed{batches: make(chan batch, prefetch), stop: stop}
	go func() {
		defer close(f.batches)
		var rows []arrowfile.Pair
		flush := func() error {
			if skip > 0 {
				skip--
				rows = rows[:0]
				return nil
			}
			b := encode(t, rows, maxTokens)
			rows = rows[:0]
			select {
			case f.batches <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		f.err = d.pass(ctx, o, func(p arrowfile.Pair) error {
			if rows = append(rows, p); len(rows) < size {
				return nil
			}
			return flush()
		})
		if f.err == nil && len(rows) > 0 {
			f.err = flush()
		}
	}()
	return f
}

// close ends the goroutine; batches not taken are dropped.
func (f *feed) close() {
	f.stop()
	for range f.batches { // until the goroutine has seen it
	}
}

func encode(t *wordpiece.Tokenizer, rows []arrowfile.Pair, maxTokens int) batch {
	var b batch
	pairs := make([]wordpiece.Pair, len(rows))
	for i, p := range rows {
		pairs[i] = wordpiece.Pair{A: joined(p.QueryTitle, p.QueryAbstract), B: joined(p.DocTitle, p.DocAbstract)}
		b.relevance = append(b.relevance, p.Label)
		b.domain = append(b.domain, p.Domain)
		b.ids = append(b.ids, p.TopicID+" "+p.DocID)
	}
	b.tokens = t.Pairs(pairs, maxTokens, 1)
	return b
}

// joined is the text of a patent: title, a space, abstract.
func joined(title, abstract string) string { return strings.TrimSpace(title + " " + abstract) }
