package schemas

import (
	"fmt"
	"strings"
)

// Page is docs/tables.md: every table with its columns, written from the row types.
func Page() string {
	var b strings.Builder
	b.WriteString(`# Tables

Written from the types in schemas/ by ` + "`go test ./schemas -update`" + `; do not edit.

Parquet tables are views of the same name in ` + "`dssdnet query`" + `. Types are DuckDB's. A column marked NULL may be
absent from a row; an absent text is NULL, never the empty string. Every file names its table and version in the
metadata key ` + "`" + MetadataSchema + "`" + `.
`)
	for _, t := range Parquet() {
		heading(&b, t.Name, "Parquet", t.Tag(), t.Floor, t.About, t.History)
		rows(&b, "", t.Columns())
	}
	for _, t := range Arrow() {
		heading(&b, t.Name, "Arrow IPC", t.Tag(), t.Floor, t.About, t.History)
		rows(&b, "", t.Columns())
	}
	return b.String()
}

func heading(b *strings.Builder, name, format, tag string, floor int, about string, history []string) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n%s, `%s`, readable from version %d. History: %s.\n\n| column | type | null | meaning |\n|---|---|---|---|\n",
		name, about, format, tag, floor, strings.Join(history, "; "))
}

func rows(b *strings.Builder, prefix string, columns []Column) {
	for _, c := range columns {
		null := ""
		if c.Nullable {
			null = "NULL"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+c.Name, c.Type, null, strings.ReplaceAll(c.About, "|", "\\|"))
		inner := "."
		if strings.HasSuffix(c.Type, "[]") {
			inner = "[]."
		}
		rows(b, prefix+c.Name+inner, c.Fields)
	}
}
