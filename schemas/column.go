package schemas

import (
	"reflect"
	"strings"
)

// Column is a column of a table, or a field of a column that is a STRUCT or a list of them.
type Column struct {
	Name     string
	Type     string // of DuckDB for Parquet, of Arrow for Arrow: VARCHAR, STRUCT[], int8
	Nullable bool
	About    string // one sentence
	Fields   []Column
}

// Columns are the columns of the table in their order.
func (t Table) Columns() []Column { return columnsOf(reflect.TypeOf(t.Row)) }

func columnsOf(t reflect.Type) []Column {
	columns := make([]Column, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		c := Column{
			Name: name, Type: columnType(f.Type, options), Nullable: strings.Contains(options, "optional"), About: f.Tag.Get("doc"),
		}
		switch {
		case f.Type.Kind() == reflect.Struct:
			c.Fields = columnsOf(f.Type)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			c.Fields = columnsOf(f.Type.Elem())
		}
		columns = append(columns, c)
	}
	return columns
}

// Columns are the columns of the table in their order.
func (t ArrowTable) Columns() []Column {
	columns := make([]Column, 0, len(t.Fields))
	for _, f := range t.Fields {
		about, _ := f.Metadata.GetValue("doc")
		columns = append(columns, Column{Name: f.Name, Type: f.Type.String(), Nullable: f.Nullable, About: about})
	}
	return columns
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
