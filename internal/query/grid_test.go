package query

import (
	"database/sql"
	"strings"
	"testing"
)

func cells(rows ...[]string) [][]sql.NullString {
	var all [][]sql.NullString
	for _, row := range rows {
		var line []sql.NullString
		for _, text := range row {
			line = append(line, sql.NullString{String: text, Valid: text != "<null>"})
		}
		all = append(all, line)
	}
	return all
}

func printed(t *testing.T, g *grid) string {
	t.Helper()
	var b strings.Builder
	if err := g.print(&b); err != nil {
		t.Fatal(err)
	}
	return "\n" + b.String()
}

func TestGrid(t *testing.T) {
	columns := []column{{name: "id"}, {name: "grade", number: true}, {name: "title"}}
	g := newGrid(columns, cells([]string{"PAC-1", "2", "Größe\nund 日本"}, []string{"PAC-22", "<null>", "a\x1b[31mred"}, []string{"", "10", "<null>"}), 80)
	want := `
id      grade  title
------  -----  --------------
PAC-1       2  Größe und 日本
PAC-22   NULL  a[31mred
           10  NULL
`
	if got := printed(t, g); got != want {
		t.Errorf("got %s", got)
	}
}

func TestGridFitsTheLine(t *testing.T) {
	columns := []column{{name: "a"}, {name: "b"}, {name: "c"}}
	rows := cells([]string{"short", strings.Repeat("b", 100), strings.Repeat("日", 100)})
	g := newGrid(columns, rows, 40)
	want := `
a      b                c
-----  ---------------  ---------------
short  bbbbbbbbbbbbbb…  日日日日日日日…
`
	if got := printed(t, g); got != want {
		t.Errorf("got %s", got)
	}
	if g := newGrid(columns, rows, 20); g.shown() != 2 {
		t.Errorf("%d columns are shown:%s", g.shown(), printed(t, g))
	}
	if g := newGrid(columns[1:], cells([]string{strings.Repeat("b", 100), "c"}), 3); g.shown() != 1 {
		t.Errorf("%d columns are shown:%s", g.shown(), printed(t, g))
	}
}
