package sampler

import (
	"context"
	"slices"
	"strings"

	"dssdnet/internal/fault"
)

type qrelRow struct {
	TopicID  string `parquet:"topic_id"`
	PatentID string `parquet:"patent_id"`
	Set      string `parquet:"set,dict"`
}

// loadGolds gives every topic its golds: the judged patents of any grade, from the qrels sets named. A gold that the
// library does not have is unreachable: no pool can hold it, and it still counts.
func loadGolds(ctx context.Context, from *source, sets []string, lib *library, topics []topic) error {
	number := make(map[string]int, len(topics))
	for i := range topics {
		number[topics[i].id] = i
	}
	unreachable := map[int]map[string]bool{}
	seen := map[string]bool{}
	for _, file := range from.files {
		err := each(ctx, file, func(row *qrelRow) error {
			seen[strings.Clone(row.Set)] = true
			t, ok := number[row.TopicID]
			if !ok || !slices.Contains(sets, row.Set) {
				return nil
			}
			if patent := lib.find(row.PatentID); patent != nowhere {
				topics[t].golds = append(topics[t].golds, patent)
				return nil
			}
			if unreachable[t] == nil {
				unreachable[t] = map[string]bool{}
			}
			unreachable[t][strings.Clone(row.PatentID)] = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(sets, func(set string) bool { return seen[set] }) {
		return fault.New(fault.Rejected, "qrels/ has the sets %s but none of %s: name the ones to use with --qrels-sets",
			strings.Join(sortedKeys(seen), ", "), strings.Join(sets, ", "))
	}
	for i := range topics {
		slices.Sort(topics[i].golds)
		topics[i].golds = slices.Compact(topics[i].golds)
		topics[i].unreachable = len(unreachable[i])
	}
	return nil
}

// setsOf are the topic sets of the run, sorted.
func setsOf(topics []topic) []string {
	sets := map[string]bool{}
	for i := range topics {
		sets[topics[i].set] = true
	}
	return sortedKeys(sets)
}
