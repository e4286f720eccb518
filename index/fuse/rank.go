package fuse

import (
	"cmp"
	"slices"
	"strings"

	"dssdnet/schemas"
)

// fuse joins the candidates of a topic in several pools, each in the order of their ranks.
func fuse(topic string, pools [][]schemas.Pool, k float64, hits int) []schemas.Pool {
	scores := make(map[string]float64)
	var builds []string
	for _, candidates := range pools {
		for _, c := range candidates {
			scores[c.PatentID] += 1 / (k + float64(c.Rank))
			if !slices.Contains(builds, c.IndexBuild) {
				builds = append(builds, c.IndexBuild)
			}
		}
	}
	slices.Sort(builds)
	build := strings.Join(builds, "+")
	fused := make([]schemas.Pool, 0, len(scores))
	for id, score := range scores {
		fused = append(fused, schemas.Pool{TopicID: topic, PatentID: id, Score: score, IndexBuild: build})
	}
	slices.SortFunc(fused, func(a, b schemas.Pool) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PatentID, b.PatentID))
	})
	fused = fused[:min(hits, len(fused))]
	for i := range fused {
		fused[i].Rank = int32(i + 1)
	}
	return fused
}
