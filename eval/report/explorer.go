package report

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"dssdnet/eval"
	"dssdnet/eval/compare"
	"dssdnet/eval/tables"
)

// abstractChars is how much of an abstract the page has.
const abstractChars = 400

// explorer shows the topics that change most, and some others.
func (w *watcher) explorer(ctx context.Context, e *eval.Evaluation, systems []compare.System) (Explorer, error) {
	x := Explorer{Topics: []ExploredTopic{}, Patents: map[string]PatentShown{}}
	var runs []int // one of each system: seeds differ too little to read one by one
	for _, s := range systems {
		x.Runs = append(x.Runs, s.Name)
		runs = append(runs, slices.IndexFunc(e.Runs, func(r *eval.Scored) bool { return r.Name == s.Runs[0] }))
	}
	chosen := w.choose(e, runs)
	ids := map[string]bool{}
	for _, t := range chosen {
		for _, r := range runs {
			for _, c := range w.top[r][t] {
				ids[c.ID] = true
			}
		}
		for _, g := range e.Topics[t].Golds {
			ids[g.ID] = true
		}
	}
	texts, err := tables.PatentTexts(ctx, e.Config.Workspace, ids)
	if err != nil {
		return x, err
	}
	for id, text := range texts {
		x.Patents[id] = PatentShown{Title: text.Title, Abstract: shortened(text.Abstract), IPC: text.IPC}
	}
	for _, t := range chosen {
		x.Topics = append(x.Topics, w.explored(e, t, runs, texts))
	}
	return x, nil
}

// choose returns the topics to explore, by id: half are those of the largest changes, the rest at even distances.
func (w *watcher) choose(e *eval.Evaluation, runs []int) []int {
	by := 0
	if w.config.By != "" {
		by, _ = e.Measure(w.config.By) // compare has refused an unknown one
	}
	order := make([]int, len(e.Topics))
	largest := make([]float64, len(e.Topics))
	for t := range order {
		order[t] = t
		for _, r := range runs[1:] {
			if d := math.Abs(e.Runs[r].Values[by][t] - e.Runs[runs[0]].Values[by][t]); d > largest[t] {
				largest[t] = d
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(largest[b], largest[a]) })
	n := min(w.config.ExploreTopics, len(order))
	chosen := slices.Clone(order[:(n+1)/2])
	rest := order[(n+1)/2:]
	slices.Sort(rest)
	for i := range n / 2 {
		chosen = append(chosen, rest[i*len(rest)/(n/2)])
	}
	slices.Sort(chosen)
	return chosen
}

func (w *watcher) explored(e *eval.Evaluation, t int, runs []int, texts map[string]tables.Text) ExploredTopic {
	topic := &e.Topics[t]
	shown := ExploredTopic{ID: topic.ID, Title: title(topic), IPC: []string{}}
	if topic.Row != nil {
		shown.Abstract = shortened(tables.TopicText(topic.Row).Abstract)
		shown.IPC = topic.Row.IPCSubclasses
	}
	grades := map[string]int{}
	for g, gold := range topic.Golds {
		grades[gold.ID] = gold.Grade
		one := ExploredGold{Patent: gold.ID, Grade: gold.Grade, Domain: eval.Domain(shown.IPC, texts[gold.ID].IPC)}
		for _, r := range runs {
			one.Ranks = append(one.Ranks, e.Runs[r].Ranks[t][g])
		}
		shown.Golds = append(shown.Golds, one)
	}
	for _, r := range runs {
		ranking := []RankedShown{}
		for _, c := range w.top[r][t] {
			ranking = append(ranking, RankedShown{
				Patent: c.ID, Score: rounded(c.Score), Before: w.baseline[t][c.ID], Grade: grades[c.ID], Domain: eval.Domain(shown.IPC, texts[c.ID].IPC),
			})
		}
		shown.Rankings = append(shown.Rankings, ranking)
	}
	return shown
}

func title(t *eval.Topic) string {
	if t.Row == nil {
		return ""
	}
	return tables.TopicText(t.Row).Title
}

// shortened cuts a text at a word and says so.
func shortened(text string) string {
	if utf8.RuneCountInString(text) <= abstractChars {
		return text
	}
	cut := string([]rune(text)[:abstractChars])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + " …"
}
