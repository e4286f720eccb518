package pool

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"dssdnet/index"
	"dssdnet/internal/fault"
	"dssdnet/schemas"
)

// LoadGolds reads the golds of the sets in the folder qrels/ by topic, of all sets when none is named. Memory: the
// golds.
func LoadGolds(dir string, sets []string) (map[string]*Golds, error) {
	paths, err := index.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	golds := make(map[string]*Golds)
	found := make(map[string]bool)
	for _, path := range paths {
		err := eachQrel(path, func(q *schemas.Qrel) {
			found[q.Set] = true
			if len(sets) > 0 && !slices.Contains(sets, q.Set) {
				return
			}
			g := golds[q.TopicID]
			if g == nil {
				g = &Golds{}
				golds[q.TopicID] = g
			}
			g.Patents = append(g.Patents, q.PatentID)
			g.Broken = g.Broken || q.BrokenTopic
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

func eachQrel(path string, visit func(*schemas.Qrel)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := schemas.Qrels.Open(f, info.Size())
	if err != nil {
		return err
	}
	reader := parquet.NewGenericReader[schemas.Qrel](file)
	defer reader.Close()
	rows := make([]schemas.Qrel, 1024)
	for {
		n, err := reader.Read(rows)
		for i := range rows[:n] {
			visit(&rows[i])
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
