package indextest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// BruteForce ranks documents by the textbook formula of BM25, one document after the other. It shares no code with
// the index.
//
//	sum over the terms t of the query, as often as they stand in it, of
//	ln(1 + (N - n + 0.5) / (n + 0.5)) * f * (k1 + 1) / (f + k1 * (1 - b + b * |D| / average))
//
// N is the number of documents with a term, n that of documents with t, f the frequency of t in D.
type BruteForce struct {
	documents map[string][]string
}

// Scored is a document with its score.
type Scored struct {
	ID    string
	Score float64
}

// NewBruteForce takes the terms of every document by its id.
func NewBruteForce(documents map[string][]string) *BruteForce { return &BruteForce{documents} }

// Rank scores all documents that have a term of the query: by score, ties by id.
func (b *BruteForce) Rank(query []string, k1, bb float64) []Scored {
	var n, total float64
	df := make(map[string]float64)
	for _, terms := range b.documents {
		total += float64(len(terms))
		if len(terms) > 0 {
			n++
		}
		seen := make(map[string]bool)
		for _, term := range terms {
			if !seen[term] {
				seen[term] = true
				df[term]++
			}
		}
	}
	average := total / n
	var ranking []Scored
	for id, terms := range b.documents {
		frequency := make(map[string]float64)
		for _, term := range terms {
			frequency[term]++
		}
		score := 0.0
		for _, term := range query {
			if f := frequency[term]; f > 0 {
				idf := math.Log(1 + (n-df[term]+0.5)/(df[term]+0.5))
				score += idf * f * (k1 + 1) / (f + k1*(1-bb+bb*float64(len(terms))/average))
			}
		}
		if score > 0 {
			ranking = append(ranking, Scored{id, score})
		}
	}
	slices.SortFunc(ranking, func(x, y Scored) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
	})
	return ranking
}

// Differ describes how the hits got differ from the first of the complete ranking want, "" when they do not. Scores
// must agree within 1e-9, and where those of want are that close, the order may be any.
func Differ(got, want []Scored, hits int) string {
	if len(got) != min(hits, len(want)) {
		return fmt.Sprintf("%d hits, want %d", len(got), min(hits, len(want)))
	}
	scores := make(map[string]float64, len(want))
	for _, w := range want {
		scores[w.ID] = w.Score
	}
	seen := make(map[string]bool)
	for i, g := range got {
		score, ok := scores[g.ID]
		switch {
		case !ok || seen[g.ID]:
			return fmt.Sprintf("rank %d is %s, which has no score or stands twice", i+1, g.ID)
		case !near(g.Score, score):
			return fmt.Sprintf("%s has the score %v, want %v", g.ID, g.Score, score)
		case !near(score, want[i].Score):
			return fmt.Sprintf("rank %d is %s with %v, want %s with %v", i+1, g.ID, g.Score, want[i].ID, want[i].Score)
		case i > 0 && got[i-1].Score == g.Score && got[i-1].ID > g.ID:
			return fmt.Sprintf("rank %d: %s and %s have one score and are not in the order of their ids", i+1, got[i-1].ID, g.ID)
		}
		seen[g.ID] = true
	}
	return ""
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }
