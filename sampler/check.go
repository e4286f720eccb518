package sampler

import (
	"context"
	"fmt"
)

// Check is something that must hold of the files, found by reading them again.
type Check struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Passed  bool   `json:"passed"`
	Cases   int64  `json:"cases"`             // rows, batches or topics looked at
	Failure string `json:"failure,omitempty"` // the first case that does not hold
}

// rule is one of the checks.
type rule int

const (
	ruleBalance rule = iota
	ruleLabels
	ruleDomains
	ruleSides
	ruleTexts
	ruleIDs
	ruleGroups
	ruleCounts
	rules
)

var ruleMeanings = [rules]struct{ name, meaning string }{
	ruleBalance: {"balance", "every record batch of train and valid holds positives and negatives in the ratio asked for"},
	ruleLabels:  {"labels", "a row is positive exactly when the qrels name it: no gold is among the negatives"},
	ruleDomains: {"domains", "domain labels follow from the IPC subclasses of the two patents"},
	ruleSides:   {"sides", "no topic, and no family of a topic, is on two sides"},
	ruleTexts:   {"texts", "no pair has an empty text, and the texts of every group are in texts.arrow"},
	ruleIDs:     {"ids", "every id is that of a topic of the run or of a patent of patents/"},
	ruleGroups:  {"groups", "a group is the whole pool of a topic in pool order, in one record batch"},
	ruleCounts:  {"counts", "the files have the rows that were counted, and every gold in a pool is a positive or left out for a reason"},
}

// tally is the outcome of the rules over some files.
type tally struct {
	cases   [rules]int64
	failure [rules]string // the first, "" when there is none
}

// expect counts a case of a rule. failure says what is wrong when it does not hold.
func (t *tally) expect(r rule, holds bool, failure func() string) {
	t.cases[r]++
	if !holds && t.failure[r] == "" {
		t.failure[r] = failure()
	}
}

// add takes over the outcome of another.
func (t *tally) add(other *tally) {
	for r := range rules {
		t.cases[r] += other.cases[r]
		if t.failure[r] == "" {
			t.failure[r] = other.failure[r]
		}
	}
}

// checks is the outcome as it is reported.
func (t *tally) checks() []Check {
	all := make([]Check, rules)
	for r, m := range ruleMeanings {
		all[r] = Check{Name: m.name, Meaning: m.meaning, Passed: t.failure[r] == "", Cases: t.cases[r], Failure: t.failure[r]}
	}
	return all
}

// check reads every file that was written and fails when a rule does not hold.
func (j *job) check(ctx context.Context) error {
	c := newChecker(j)
	if err := c.files(ctx); err != nil {
		return fmt.Errorf("check the files: %w", err)
	}
	c.lineages()
	c.counts()
	j.result.Checks = c.checks()
	for _, check := range j.result.Checks {
		if !check.Passed {
			return fmt.Errorf("the pairs are wrong, %s stays as it was: check %s (%s) failed: %s", j.out, check.Name, check.Meaning, check.Failure)
		}
	}
	return nil
}

// lineages holds the files against the rule that relatives stay together.
func (c *checker) lineages() {
	seen := map[string]int{}
	for number := range c.topics {
		side, met := c.sideOf[number]
		if !met {
			continue
		}
		for _, key := range c.topics[number].relations(c.lib) {
			other, shared := seen[key]
			if !shared {
				seen[key] = number
				continue
			}
			c.expect(ruleSides, c.sideOf[other] == side, func() string {
				return fmt.Sprintf("topic %s is in %s and topic %s in %s, and both have %s", c.topics[other].id, c.sideOf[other], c.topics[number].id, side, key)
			})
		}
	}
}

// counts holds the files against the counts of the run.
func (c *checker) counts() {
	counts := &c.result.Counts
	for _, s := range []struct {
		side side
		rows int64
	}{{train, counts.Train.Positives + counts.Train.Negatives}, {valid, counts.Valid.Positives + counts.Valid.Negatives}, {test, counts.Test.Rows}} {
		c.expect(ruleCounts, c.rows[s.side] == s.rows, func() string {
			return fmt.Sprintf("%s has %d rows, %d were counted", s.side, c.rows[s.side], s.rows)
		})
	}
	for _, s := range []side{train, valid} {
		pairs := c.countsOf(s)
		c.expect(ruleCounts, pairs.InPool == pairs.Positives+pairs.LeftOut.total(), func() string {
			return fmt.Sprintf("%s has %d golds in the pools, %d positives and %d left out", s, pairs.InPool, pairs.Positives, pairs.LeftOut.total())
		})
	}
}
