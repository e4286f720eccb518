package rerank

import (
	"context"
	"path/filepath"
	"strings"

	"dssdnet/schemas/arrowfile"
	"dssdnet/train/wordpiece"
)

// encoded is the tokens of a text: the first of them, as many as a pair can hold, and how many there are, for a pair
// is cut by the full lengths.
type encoded struct {
	ids  []int32
	full int
}

// texts are the tokens of every text that the groups need, each made once.
type texts struct {
	topics, patents map[string]encoded
	maxTokens       int
	cls, sep        int32
	free            []int32 // of the block that texts are cut from
}

// specials is [CLS] A [SEP] B [SEP] without A and B.
const specials = 3

// tokenBlock is how many tokens are allocated at a time.
const tokenBlock = 1 << 18

// newTexts prepares for the tokenizer of a model. An empty pair shows its two special tokens.
func newTexts(t *wordpiece.Tokenizer, maxTokens int) *texts {
	frame, _ := t.AppendPair(nil, wordpiece.Pair{}, specials)
	return &texts{topics: map[string]encoded{}, patents: map[string]encoded{}, maxTokens: maxTokens, cls: frame[0], sep: frame[1]}
}

// load tokenizes the texts of a file. patents are those that are needed; topics all are.
func (x *texts) load(ctx context.Context, dir string, t *wordpiece.Tokenizer, patents map[string]bool) error {
	var ids []int32
	return eachBatch(ctx, filepath.Join(dir, "texts.arrow"), arrowfile.Texts, func(rows []arrowfile.Text, _ bool) error {
		for _, row := range rows {
			text := strings.TrimSpace(row.Title + " " + row.Abstract)
			if text == "" || row.Kind == arrowfile.KindPatent && !patents[row.ID] {
				continue
			}
			if ids = t.Append(ids[:0], text); len(ids) == 0 {
				continue
			}
			e := encoded{ids: x.keep(ids[:min(len(ids), x.maxTokens-specials)]), full: len(ids)}
			if row.Kind == arrowfile.KindTopic {
				x.topics[strings.Clone(row.ID)] = e
			} else {
				x.patents[strings.Clone(row.ID)] = e
			}
		}
		return nil
	})
}

func (x *texts) keep(ids []int32) []int32 {
	if cap(x.free)-len(x.free) < len(ids) {
		x.free = make([]int32, 0, max(tokenBlock, len(ids)))
	}
	start := len(x.free)
	x.free = append(x.free, ids...)
	return x.free[start:len(x.free):len(x.free)]
}

// lengths are the tokens that the two texts keep in a pair: longest first gives up tokens, as Hugging Face's tokenizers
// and wordpiece.AppendPair cut it.
func (x *texts) lengths(a, b encoded) (int, int) {
	room := x.maxTokens - specials
	if a.full+b.full <= room {
		return a.full, b.full
	}
	short := min(a.full, b.full)
	long := max(short, room-short)
	if short+long > room {
		short = room / 2
		long = short + room%2
	}
	if a.full > b.full {
		return long, short
	}
	return short, long
}
