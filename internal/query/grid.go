package query

import (
	"database/sql"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

const (
	gap       = 2 // spaces between columns
	leastCell = 8 // no column is cut to less
)

// grid is a table that fits a line width: wide columns are cut, and when they cannot be cut any more the last ones are
// left out.
type grid struct {
	columns []column
	rows    [][]string
	widths  []int // of the columns shown
}

func newGrid(columns []column, cells [][]sql.NullString, lineWidth int) *grid {
	g := &grid{columns: columns, rows: make([][]string, 0, len(cells)+1)}
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = oneLine(c.name)
	}
	g.rows = append(g.rows, header)
	for _, row := range cells {
		texts := make([]string, len(row))
		for i, cell := range row {
			texts[i] = "NULL"
			if cell.Valid {
				texts[i] = oneLine(cell.String)
			}
		}
		g.rows = append(g.rows, texts)
	}
	natural := make([]int, len(columns))
	for _, row := range g.rows {
		for i, text := range row {
			natural[i] = max(natural[i], displayWidth(text))
		}
	}
	g.widths = fit(natural, lineWidth)
	return g
}

func (g *grid) shown() int { return len(g.widths) }

// fit cuts the widest columns to one width that makes all fit. Columns that do not fit at their least width are left
// out from the end; one stays.
func fit(natural []int, lineWidth int) []int {
	for n := len(natural); n > 0; n-- {
		widest := lineWidth
		for widest > leastCell && total(natural[:n], widest) > lineWidth {
			widest--
		}
		if n == 1 || total(natural[:n], widest) <= lineWidth {
			fitted := slices.Clone(natural[:n])
			for i := range fitted {
				fitted[i] = min(fitted[i], widest)
			}
			return fitted
		}
	}
	return nil
}

func total(widths []int, widest int) int {
	sum := gap * (len(widths) - 1)
	for _, w := range widths {
		sum += min(w, widest)
	}
	return sum
}

func (g *grid) print(out io.Writer) error {
	var b strings.Builder
	for n, row := range g.rows {
		g.line(&b, row)
		if n == 0 {
			rule := make([]string, len(g.widths))
			for i, w := range g.widths {
				rule[i] = strings.Repeat("-", w)
			}
			g.line(&b, rule)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (g *grid) line(b *strings.Builder, row []string) {
	var line strings.Builder
	for i, w := range g.widths {
		if i > 0 {
			line.WriteString(strings.Repeat(" ", gap))
		}
		text, used := clip(row[i], w)
		pad := strings.Repeat(" ", w-used)
		if g.columns[i].number {
			line.WriteString(pad + text)
		} else {
			line.WriteString(text + pad)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " "))
	b.WriteByte('\n')
}

// clip cuts text to a display width, and says so with an ellipsis.
func clip(text string, limit int) (string, int) {
	if w := displayWidth(text); w <= limit {
		return text, w
	}
	used := 0
	for i, r := range text {
		w := runeWidth(r)
		if used+w > limit-1 {
			return text[:i] + "…", used + 1
		}
		used += w
	}
	return text, used
}

func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// oneLine shows line breaks as a space and what would move the cursor as nothing.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}
