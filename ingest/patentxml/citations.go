package patentxml

import (
	"slices"
	"strings"

	"dssdnet/schemas"
)

// citations collects the cited documents, each once, in the order of the file.
type citations struct {
	rows []schemas.Citation
	at   map[string]int // ucid to its place in rows
}

func (c citations) empty() citations {
	if c.at == nil {
		c.at = make(map[string]int)
	}
	clear(c.at)
	return citations{rows: c.rows[:0], at: c.at}
}

// add takes a cited document; of a repeated one the strongest category is kept. It returns false when ucid is no
// document id.
func (c *citations) add(ucid, source, category string) bool {
	id, err := schemas.ParseUCID(ucid)
	if err != nil {
		return false
	}
	i, again := c.at[ucid]
	if !again {
		c.at[ucid] = len(c.rows)
		c.rows = append(c.rows, schemas.Citation{UCID: ucid, PatentID: id.PatentID(), Source: source, Category: category})
		return true
	}
	row := &c.rows[i]
	if row.Source == "" || strength(category) > strength(row.Category) {
		row.Source = source
	}
	row.Category = stronger(row.Category, category)
	return true
}

func (c *citations) list() []schemas.Citation {
	if len(c.rows) == 0 {
		return nil
	}
	return slices.Clone(c.rows)
}

// categoriesByStrength lists the letters of a search report from the most relevant on: X and Y question novelty and
// inventive step (I and N are X in two halves), E P T O L speak of dates and circumstances, D says that the applicant
// named the document too, A is background.
const categoriesByStrength = "XINYEPTOLDA"

// strength orders categories such as "X", "DA" or "X,P" by their strongest letter; 0 for none.
func strength(category string) int {
	best := 0
	for i := range len(category) {
		if at := strings.IndexByte(categoriesByStrength, category[i]); at >= 0 {
			best = max(best, len(categoriesByStrength)-at)
		}
	}
	return best
}

func stronger(a, b string) string {
	if a == "" || strength(b) > strength(a) {
		return b
	}
	return a
}
