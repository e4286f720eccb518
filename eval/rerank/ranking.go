package rerank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"dssdnet/eval/trec"
)

// scoredRow is a row of a group with its score.
type scoredRow struct {
	candidate
	score  float32
	scored bool
}

// rank orders a group: scored rows by score and patent, descending both, then the others in pool order with scores that
// fall by little from below the last one.
func rank(rows []scoredRow) {
	slices.SortStableFunc(rows, func(a, b scoredRow) int {
		switch {
		case a.scored != b.scored:
			return cmp.Compare(boolean(b.scored), boolean(a.scored))
		case !a.scored:
			return cmp.Compare(a.rank, b.rank)
		}
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(b.patent, a.patent))
	})
	last := float32(0)
	for i := range rows {
		if !rows[i].scored {
			rows[i].score = trec.Below(last)
		}
		last = rows[i].score
	}
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// appendLines appends the lines of a group in a TREC run. Scores have all digits of their float32.
func appendLines(text []byte, topic string, rows []scoredRow, tag string) ([]byte, error) {
	for i, row := range rows {
		if math.IsNaN(float64(row.score)) || math.IsInf(float64(row.score), 0) {
			return nil, fmt.Errorf("the model's score of topic %s and patent %s is %v: the checkpoint has diverged, take an earlier one", topic, row.patent, row.score)
		}
		text = append(append(append(text, topic...), " Q0 "...), row.patent...)
		text = strconv.AppendInt(append(text, ' '), int64(i+1), 10)
		text = strconv.AppendFloat(append(text, ' '), float64(row.score), 'g', -1, 32)
		text = append(append(append(text, ' '), tag...), '\n')
	}
	return text, nil
}
