package sampler

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"dssdnet/schemas/arrowfile"
)

// checker reads the files of a run again, as any reader would: it knows the inputs and nothing of the draws.
type checker struct {
	*job
	number map[string]int // topics by id

	mu sync.Mutex // of what follows, while files are read
	tally
	sideOf map[int]side      // of the topics met
	rows   [straddling]int64 // by side

	topicText, patentText []bool // whose text is in texts.arrow, by number and ordinal
}

func newChecker(j *job) *checker {
	c := &checker{
		job: j, number: map[string]int{}, sideOf: map[int]side{},
		topicText: make([]bool, len(j.topics)), patentText: make([]bool, j.lib.len()),
	}
	for i := range j.topics {
		c.number[j.topics[i].id] = i
	}
	return c
}

// files reads texts.arrow, then every other file, a worker to a file.
func (c *checker) files(ctx context.Context) error {
	paths, err := filepath.Glob(filepath.Join(c.newDir(), "*.arrow"))
	if err != nil {
		return err
	}
	if len(c.groups) > 0 {
		if err := c.texts(ctx, filepath.Join(c.newDir(), textsName)); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.workers())
	for _, path := range paths {
		name, _, _ := strings.Cut(filepath.Base(path), "-")
		if side, err := parseSide(name); err == nil {
			group.Go(func() error { return c.file(ctx, path, side) })
		}
	}
	return group.Wait()
}

// texts notes what is in texts.arrow.
func (c *checker) texts(ctx context.Context, path string) error {
	return eachBatch(ctx, path, arrowfile.Texts, func(_ int, rows []arrowfile.Text) {
		for _, row := range rows {
			known, seen := false, false
			switch number, ok := c.number[row.ID]; {
			case row.Kind == arrowfile.KindTopic && ok:
				known, seen = true, c.topicText[number]
				c.topicText[number] = true
			case row.Kind == arrowfile.KindPatent:
				if patent := c.lib.find(row.ID); patent != nowhere {
					known, seen = true, c.patentText[patent]
					c.patentText[patent] = true
				}
			}
			c.expect(ruleIDs, known && !seen, func() string {
				return fmt.Sprintf("%s has the %s %s twice or should not have it", textsName, row.Kind, row.ID)
			})
		}
	})
}

// file reads a file of pairs or groups.
func (c *checker) file(ctx context.Context, path string, s side) error {
	f := &fileChecker{checker: c, name: filepath.Base(path), side: s, met: map[int]bool{}}
	var err error
	if s == test {
		err = eachBatch(ctx, path, arrowfile.Groups, f.group)
	} else {
		err = eachBatch(ctx, path, arrowfile.Pairs, f.pairs)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(&f.tally)
	c.rows[s] += f.seen
	for number := range f.met {
		other, met := c.sideOf[number]
		c.expect(ruleSides, !met || other == s, func() string {
			return fmt.Sprintf("topic %s is in %s and in %s", c.topics[number].id, other, s)
		})
		c.expect(ruleGroups, s != test || !met, func() string {
			return fmt.Sprintf("the group of topic %s is in two files", c.topics[number].id)
		})
		c.sideOf[number] = s
	}
	return nil
}

// fileChecker checks one file.
type fileChecker struct {
	*checker
	tally tally
	name  string
	side  side
	seen  int64
	met   map[int]bool // topics
}

// pairs checks a record batch of train or valid.
func (f *fileChecker) pairs(batch int, rows []arrowfile.Pair) {
	f.seen += int64(len(rows))
	positives := 0
	for i := range rows {
		row := &rows[i]
		positives += int(row.Label)
		f.row(&row.Judged)
		f.tally.expect(ruleTexts, row.QueryTitle+row.QueryAbstract != "" && row.DocTitle+row.DocAbstract != "", func() string {
			return fmt.Sprintf("%s: the pair of topic %s and patent %s has an empty text", f.name, row.TopicID, row.DocID)
		})
	}
	f.tally.expect(ruleBalance, positives > 0 && positives*(1+f.NegativesPerPositive) == len(rows), func() string {
		return fmt.Sprintf("record batch %d of %s has %d positives in %d rows", batch, f.name, positives, len(rows))
	})
}

// group checks a record batch of test.
func (f *fileChecker) group(batch int, rows []arrowfile.Judged) {
	f.seen += int64(len(rows))
	number, known := f.number[rows[0].TopicID]
	rank := int32(0)
	for i := range rows {
		row := &rows[i]
		f.row(row)
		f.tally.expect(ruleGroups, row.TopicID == rows[0].TopicID && row.PoolRank > rank, func() string {
			return fmt.Sprintf("record batch %d of %s holds topic %s rank %d after topic %s rank %d", batch, f.name, row.TopicID, row.PoolRank, rows[0].TopicID, rank)
		})
		rank = row.PoolRank
		patent := f.lib.find(row.DocID)
		f.tally.expect(ruleTexts, patent != nowhere && f.patentText[patent], func() string {
			return fmt.Sprintf("the text of patent %s is not in %s", row.DocID, textsName)
		})
	}
	if !known {
		return // counted by ruleIDs
	}
	missing := int(f.topics[number].pool.rows) - len(rows)
	f.tally.expect(ruleGroups, missing == 0 || missing == 1 && f.topics[number].own != nowhere, func() string {
		return fmt.Sprintf("the group of topic %s has %d rows, its pool %d", rows[0].TopicID, len(rows), f.topics[number].pool.rows)
	})
	f.tally.expect(ruleTexts, f.topicText[number], func() string {
		return fmt.Sprintf("the text of topic %s is not in %s", rows[0].TopicID, textsName)
	})
}

// row checks what pairs and groups have in common.
func (f *fileChecker) row(row *arrowfile.Judged) {
	number, known := f.number[row.TopicID]
	patent := f.lib.find(row.DocID)
	known = known && patent != nowhere && row.QueryID == f.topics[number].patent
	f.tally.expect(ruleIDs, known, func() string {
		return fmt.Sprintf("%s: topic %s, query %s and patent %s do not all resolve", f.name, row.TopicID, row.QueryID, row.DocID)
	})
	if !known {
		return
	}
	t := &f.topics[number]
	f.met[number] = true
	f.tally.expect(ruleLabels, (row.Label == 1) == t.isGold(patent) && (row.Label == 1) == (row.Source == arrowfile.SourceGold), func() string {
		return fmt.Sprintf("%s: topic %s and patent %s have label %d and source %s", f.name, row.TopicID, row.DocID, row.Label, row.Source)
	})
	want := f.lib.codes.domainOf(t.codes, f.lib.subclasses(patent))
	got := row.Domain == want.bit(sameSubclass) && row.DomainClass == want.bit(sameClass) && row.DomainSection == want.bit(sameSection) &&
		row.DomainIPC3 == want.bit(sameClass) && row.DomainKnown == want.has(domainKnown)
	f.tally.expect(ruleDomains, got, func() string {
		return fmt.Sprintf("%s: topic %s and patent %s should have %s", f.name, row.TopicID, row.DocID, want)
	})
}

// eachBatch calls visit with every record batch of a file.
func eachBatch[R any](ctx context.Context, path string, table arrowfile.Table[R], visit func(batch int, rows []R)) error {
	r, err := arrowfile.Open(path, table)
	if err != nil {
		return err
	}
	defer r.Close()
	var rows []R
	for batch := range r.Batches() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if rows, err = r.Read(batch, rows); err != nil {
			return err
		}
		if len(rows) > 0 {
			visit(batch, rows)
		}
	}
	return nil
}
