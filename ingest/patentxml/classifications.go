package patentxml

import (
	"slices"

	"dssdnet/schemas"
)

// First letters of the symbols of the two schemes.
const (
	ipcSections = "ABCDEFGH"
	cpcSections = "ABCDEFGHY"
)

// classifications collects the codes of one scheme, each symbol once, in the order of the file. Offices repeat a symbol
// (level A and C, one row per office): the row that says more is kept, and what only another row says is added to it.
type classifications struct {
	rows []schemas.Classification
	at   map[string]int // symbol to its place in rows
}

func (c classifications) empty() classifications {
	if c.at == nil {
		c.at = make(map[string]int)
	}
	clear(c.at)
	return classifications{rows: c.rows[:0], at: c.at}
}

func (c *classifications) add(row schemas.Classification) {
	i, again := c.at[row.Symbol]
	if !again {
		c.at[row.Symbol] = len(c.rows)
		c.rows = append(c.rows, row)
		return
	}
	best, other := c.rows[i], row
	if richness(other) > richness(best) {
		best, other = other, best
	}
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&best.Version, other.Version},
		{&best.Level, other.Level},
		{&best.Position, other.Position},
		{&best.Value, other.Value},
		{&best.Source, other.Source},
	} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	c.rows[i] = best
}

// richness orders the rows of one symbol: advanced level before the others, a dated version before an edition, then the
// row with more fields.
func richness(c schemas.Classification) int {
	n := 0
	if c.Level == "A" {
		n += 100
	}
	if len(c.Version) == 8 {
		n += 10
	}
	for _, field := range []string{c.Level, c.Position, c.Value, c.Source} {
		if field != "" {
			n++
		}
	}
	return n
}

// list returns the rows, nil when there are none.
func (c *classifications) list() []schemas.Classification {
	if len(c.rows) == 0 {
		return nil
	}
	return slices.Clone(c.rows)
}

// subclasses returns the distinct subclasses, sorted.
func (c *classifications) subclasses() []string {
	if len(c.rows) == 0 {
		return nil
	}
	list := make([]string, len(c.rows))
	for i := range c.rows {
		list[i] = c.rows[i].Subclass
	}
	slices.Sort(list)
	return slices.Compact(list)
}
