package indextest

import (
	"context"
	"io"
	"log"
	"math"

	"github.com/blugelabs/bluge"
	"github.com/blugelabs/bluge/search"
	"github.com/blugelabs/bluge/search/similarity"
	segment "github.com/blugelabs/bluge_segment_api"
)

// Bluge searches a build with Bluge's own searcher and collector, its similarity corrected: the idf of the textbook,
// and N and average length as given. It is slow, and shares with the index only the files.
type Bluge struct {
	reader *bluge.Reader
	field  string
}

// BlugeStats are the numbers that Bluge has wrong when patents were deleted.
type BlugeStats struct {
	Patents       int64
	AverageLength float64
	K1, B         float64
}

// OpenBluge opens the build in dir for searches of one field.
func OpenBluge(dir, field string, stats BlugeStats) (*Bluge, error) {
	config := bluge.DefaultConfig(dir)
	config.Logger = log.New(io.Discard, "", 0)
	config.DefaultSimilarity = textbook{similarity.NewBM25SimilarityBK1(stats.B, stats.K1), stats}
	reader, err := bluge.OpenReader(config)
	return &Bluge{reader, field}, err
}

// Close releases the files.
func (b *Bluge) Close() error { return b.reader.Close() }

// Search returns the best hits of a query of terms with weights.
func (b *Bluge) Search(ctx context.Context, terms map[string]float64, hits int) ([]Scored, error) {
	query := bluge.NewBooleanQuery()
	for term, weight := range terms {
		query.AddShould(bluge.NewTermQuery(term).SetField(b.field).SetBoost(weight))
	}
	matches, err := b.reader.Search(ctx, bluge.NewTopNSearch(hits, query))
	if err != nil {
		return nil, err
	}
	var found []Scored
	for {
		match, err := matches.Next()
		if err != nil || match == nil {
			return found, err
		}
		scored := Scored{Score: match.Score}
		err = match.VisitStoredFields(func(field string, value []byte) bool {
			if field == "_id" {
				scored.ID = string(value)
			}
			return true
		})
		if err != nil {
			return found, err
		}
		found = append(found, scored)
	}
}

type textbook struct {
	*similarity.BM25Similarity
	stats BlugeStats
}

func (t textbook) Scorer(boost float64, _ segment.CollectionStats, term segment.TermStats) search.Scorer {
	n, df := float64(t.stats.Patents), float64(term.DocumentFrequency())
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	return similarity.NewBM25Scorer(boost*(t.stats.K1+1), t.stats.K1, t.stats.B, t.stats.AverageLength, search.NewExplanation(idf, "idf"))
}
