package wordpiece

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
	"strings"

	"dssdnet/internal/fault"
)

const (
	// maxDistinct bounds the words held while counting: when there are more, the rarest are forgotten.
	maxDistinct = 1 << 20
	// maxAlphabet bounds the single characters of a vocabulary; words with others become [UNK].
	maxAlphabet = 1000
)

// Learn makes a vocabulary of at most size tokens out of texts: the special tokens, the characters, and then, again
// and again, the two neighbours that stand together most often, as Hugging Face's WordPieceTrainer does. The same
// texts in the same order give the same vocabulary.
func Learn(texts iter.Seq[string], size int, o Options) (Vocab, error) {
	n := normalizer{lower: !o.Cased, strip: o.StripAccents || !o.Cased && !o.KeepAccents}
	glyphs := table(n)
	counts := map[string]int{}
	for text := range texts {
		split(n, glyphs, text, func(word []byte, chars int) {
			if chars <= maxWord {
				counts[string(word)]++
			}
		})
		for least := 1; len(counts) > maxDistinct; least++ {
			for word, c := range counts {
				if c <= least {
					delete(counts, word)
				}
			}
		}
	}
	l := newLearner(counts)
	if len(l.vocab) > size {
		return nil, fault.New(fault.Usage, "a vocabulary of %d tokens is too small: special tokens and single characters are %d", size, len(l.vocab))
	}
	l.merge(size)
	return l.vocab, nil
}

// piece is a token's number in the vocabulary being learnt.
type piece = int32

type twin struct{ a, b piece }

// spelling is a word as pieces.
type spelling struct {
	pieces []piece
	count  int
}

type learner struct {
	vocab Vocab
	index map[string]piece
	words []spelling
	count map[twin]int
	where map[twin]map[int]struct{} // words that may hold the twin
	queue twins
}

func newLearner(counts map[string]int) *learner {
	l := &learner{index: map[string]piece{}, count: map[twin]int{}, where: map[twin]map[int]struct{}{}}
	for _, token := range []string{tokenPad, tokenUnk, tokenCLS, tokenSep, "[MASK]"} {
		l.add(token)
	}
	words := make([]string, 0, len(counts))
	letters := map[rune]int{}
	for word, c := range counts {
		words = append(words, word)
		for _, r := range word {
			letters[r] += c
		}
	}
	slices.Sort(words)
	alphabet := make([]rune, 0, len(letters))
	for r := range letters {
		alphabet = append(alphabet, r)
	}
	slices.SortFunc(alphabet, func(a, b rune) int { return cmp.Or(letters[b]-letters[a], int(a-b)) })
	alphabet = alphabet[:min(len(alphabet), maxAlphabet)]
	slices.Sort(alphabet)
	for _, r := range alphabet {
		l.add(string(r))
	}
	for _, word := range words {
		l.spell(word, counts[word])
	}
	for t, c := range l.count {
		l.queue = append(l.queue, ranked{t, c})
	}
	heap.Init(&l.queue)
	return l
}

func (l *learner) add(token string) piece {
	if n, ok := l.index[token]; ok {
		return n
	}
	n := piece(len(l.vocab))
	l.index[token] = n
	l.vocab = append(l.vocab, token)
	return n
}

// spell enters a word, unless a character of it is not in the alphabet.
func (l *learner) spell(word string, count int) {
	s := spelling{count: count}
	for i, r := range word {
		n, ok := l.index[string(r)]
		if !ok {
			return
		}
		if i > 0 {
			n = l.add("##" + string(r))
		}
		s.pieces = append(s.pieces, n)
	}
	at := len(l.words)
	l.words = append(l.words, s)
	for i := 1; i < len(s.pieces); i++ {
		l.note(twin{s.pieces[i-1], s.pieces[i]}, at, count)
	}
}

func (l *learner) note(t twin, word, by int) {
	l.count[t] += by
	if l.where[t] == nil {
		l.where[t] = map[int]struct{}{}
	}
	l.where[t][word] = struct{}{}
}

// merge joins the most frequent twin until the vocabulary is full or no twin stands in two places.
func (l *learner) merge(size int) {
	for len(l.vocab) < size && len(l.queue) > 0 {
		top := heap.Pop(&l.queue).(ranked)
		now := l.count[top.twin]
		if now < 2 {
			continue
		}
		if now != top.count { // counts only fall while a twin waits, so it goes back to where it belongs
			heap.Push(&l.queue, ranked{top.twin, now})
			continue
		}
		l.join(top.twin)
	}
}

func (l *learner) join(t twin) {
	joined := l.add(l.vocab[t.a] + strings.TrimPrefix(l.vocab[t.b], "##"))
	touched := make([]int, 0, len(l.where[t]))
	for w := range l.where[t] {
		touched = append(touched, w)
	}
	slices.Sort(touched)
	fresh := map[twin]bool{}
	for _, w := range touched {
		s := &l.words[w]
		for i := 1; i < len(s.pieces); i++ {
			l.count[twin{s.pieces[i-1], s.pieces[i]}] -= s.count
		}
		out := s.pieces[:0]
		for i := 0; i < len(s.pieces); i++ {
			if i+1 < len(s.pieces) && s.pieces[i] == t.a && s.pieces[i+1] == t.b {
				out = append(out, joined)
				i++
				continue
			}
			out = append(out, s.pieces[i])
		}
		s.pieces = out
		for i := 1; i < len(out); i++ {
			n := twin{out[i-1], out[i]}
			l.note(n, w, s.count)
			if n.a == joined || n.b == joined {
				fresh[n] = true
			}
		}
	}
	delete(l.count, t)
	delete(l.where, t)
	for n := range fresh {
		heap.Push(&l.queue, ranked{n, l.count[n]})
	}
}

type ranked struct {
	twin
	count int
}

// twins is a heap with the most frequent twin on top; among equals the one whose pieces are older.
type twins []ranked

func (q twins) Len() int { return len(q) }
func (q twins) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[j].count, q[i].count), cmp.Compare(q[i].a, q[j].a), cmp.Compare(q[i].b, q[j].b)) < 0
}
func (q twins) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *twins) Push(x any)   { *q = append(*q, x.(ranked)) }
func (q *twins) Pop() any {
	old := *q
	top := old[len(old)-1]
	*q = old[:len(old)-1]
	return top
}
