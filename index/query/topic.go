package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/workspace"
	"dssdnet/schemas"
)

// Columns are the text columns of topics/, in the order of the table.
func Columns() []string {
	return []string{
		"title", "abstract", "claims", "title_de", "title_fr", "abstract_de", "abstract_fr", "claims_de", "claims_fr",
	}
}

// text is one text column of a topic.
func text(t *schemas.Topic, column string) string {
	switch column {
	case "title":
		return t.Title
	case "abstract":
		return t.Abstract
	case "claims":
		return t.Claims
	case "title_de":
		return t.TitleDE
	case "title_fr":
		return t.TitleFR
	case "abstract_de":
		return t.AbstractDE
	case "abstract_fr":
		return t.AbstractFR
	case "claims_de":
		return t.ClaimsDE
	case "claims_fr":
		return t.ClaimsFR
	}
	return ""
}

// TopicFiles lists the files of the folder topics/, in the order in which EachTopic reads them.
func TopicFiles(dir string) ([]string, error) {
	paths, err := workspace.TableFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fault.New(fault.Rejected, "%s has no topics: run dssdnet ingest topics first", dir)
	}
	return paths, nil
}

// EachTopic calls visit with every topic of the sets in the folder topics/, of all sets when none is named. The
// topic is visit's to keep. A topic id that stands twice is refused: its pool could not be told apart.
func EachTopic(ctx context.Context, dir string, sets []string, visit func(*schemas.Topic) error) error {
	paths, err := TopicFiles(dir)
	if err != nil {
		return err
	}
	homes := make(map[string]string) // topic id → set
	found := make(map[string]bool)
	for _, path := range paths {
		err := schemas.EachRow(schemas.Topics, path, func(t *schemas.Topic) error {
			found[t.Set] = true
			if len(sets) > 0 && !slices.Contains(sets, t.Set) {
				return nil
			}
			if home, twice := homes[t.TopicID]; twice {
				return fault.New(fault.Rejected, "topic %s stands in the sets %s and %s: choose one with --sets", t.TopicID, home, t.Set)
			}
			homes[t.TopicID] = t.Set
			if err := ctx.Err(); err != nil {
				return err
			}
			kept := *t
			return visit(&kept)
		})
		if err != nil {
			return fmt.Errorf("topics %s: %w", path, err)
		}
	}
	for _, set := range sets {
		if !found[set] {
			return fault.New(fault.Usage, "--sets: there is no topic set %q in %s, it has %s", set, dir, names(found))
		}
	}
	return nil
}

// FindTopic returns the topic of this id.
func FindTopic(ctx context.Context, dir string, sets []string, id string) (*schemas.Topic, error) {
	var found *schemas.Topic
	stop := errors.New("found")
	err := EachTopic(ctx, dir, sets, func(t *schemas.Topic) error {
		if t.TopicID != id {
			return nil
		}
		found = t
		return stop
	})
	switch {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, err
	}
	return nil, fault.New(fault.Usage, "there is no topic %q in %s", id, dir)
}

func names(set map[string]bool) string {
	var list []string
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}
