package pool

import (
	"fmt"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// LoadGolds reads the golds of the sets in the folder qrels/ by topic, of all sets when none is named. Memory: the
// golds.
func LoadGolds(dir string, sets []string) (map[string]*Golds, error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	golds := make(map[string]*Golds)
	found := make(map[string]bool)
	for _, path := range paths {
		err := schemas.EachRow(schemas.Qrels, path, func(q *schemas.Qrel) error {
			found[q.Set] = true
			if len(sets) > 0 && !slices.Contains(sets, q.Set) {
				return nil
			}
			g := golds[q.TopicID]
			if g == nil {
				g = &Golds{}
				golds[q.TopicID] = g
			}
			g.Patents = append(g.Patents, q.PatentID)
			g.Broken = g.Broken || q.BrokenTopic
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("qrels %s: %w", path, err)
		}
	}
	for _, set := range sets {
		if !found[set] {
			return nil, fault.New(fault.Usage, "--qrels: there is no qrels set %q in %s, it has %s", set, dir, strings.Join(sorted(found), ", "))
		}
	}
	for _, g := range golds { // two sets can judge one topic
		slices.Sort(g.Patents)
		g.Patents = slices.Compact(g.Patents)
	}
	return golds, nil
}

func sorted(set map[string]bool) []string {
	var names []string
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
