package indextest

import (
	"cmp"
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
		if math.Abs(x.Score-y.Score) > 1e-9*y.Score {
			return cmp.Compare(y.Score, x.Score)
		}
		return cmp.Compare(x.ID, y.ID)
	})
	return ranking
}
