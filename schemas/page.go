package schemas

import (
	"fmt"
	"reflect"
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
		b.WriteString("\n| column | type | null | meaning |\n|---|---|---|---|\n")
		rows(&b, "", reflect.TypeOf(t.Row))
	}
	for _, t := range Arrow() {
		heading(&b, t.Name, "Arrow IPC", t.Tag(), t.Floor, t.About, t.History)
		b.WriteString("\n| column | type | null | meaning |\n|---|---|---|---|\n")
		for _, f := range t.Fields {
			doc, _ := f.Metadata.GetValue("doc")
			row(&b, f.Name, f.Type.String(), f.Nullable, doc)
		}
	}
	return b.String()
}

func heading(b *strings.Builder, name, format, tag string, floor int, about string, history []string) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n%s, `%s`, readable from version %d. History: %s.\n",
		name, about, format, tag, floor, strings.Join(history, "; "))
}

func rows(b *strings.Builder, prefix string, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		nullable := strings.Contains(options, "optional")
		row(b, prefix+name, columnType(f.Type, options), nullable, f.Tag.Get("doc"))
		switch {
		case f.Type.Kind() == reflect.Struct:
			rows(b, prefix+name+".", f.Type)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			rows(b, prefix+name+"[].", f.Type.Elem())
		}
	}
}

func row(b *strings.Builder, name, kind string, nullable bool, doc string) {
	null := ""
	if nullable {
		null = "NULL"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, kind, null, strings.ReplaceAll(doc, "|", "\\|"))
}

func columnType(t reflect.Type, options string) string {
	switch {
	case strings.Contains(options, "timestamp"):
		return "TIMESTAMPTZ"
	case t == reflect.TypeFor[*Date]():
		return "DATE"
	}
	switch t.Kind() {
	case reflect.String:
		return "VARCHAR"
	case reflect.Bool:
		return "BOOLEAN"
	case reflect.Int32:
		return "INTEGER"
	case reflect.Int64:
		return "BIGINT"
	case reflect.Float64:
		return "DOUBLE"
	case reflect.Struct:
		return "STRUCT"
	case reflect.Slice:
		return columnType(t.Elem(), "") + "[]"
	}
	panic("schemas: no column type for " + t.String())
}
