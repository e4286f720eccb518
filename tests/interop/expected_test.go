package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"dssdnet/schemas"
)

// longText is the length in bytes from which a text is compared by length and hash.
const longText = 1000

// expectation is what a reader must find in the files of one table.
type expectation struct {
	Table string           `json:"table"`
	Tag   string           `json:"tag"` // in the metadata of every file
	Key   string           `json:"key"` // column that orders the rows
	Files []string         `json:"files"`
	Rows  []map[string]any `json:"rows"`
	// TextBytes and Nulls are per top-level text column.
	TextBytes map[string]int64 `json:"text_bytes"`
	Nulls     map[string]int   `json:"nulls"`
	Lookups   []lookup         `json:"lookups"`
}

// lookup is the number of rows in which a column has a value: readers answer it with the help of statistics and
// Bloom filters, and must not prune what they have no statistics of.
type lookup struct {
	Column string `json:"column"`
	Value  any    `json:"value"`
	Rows   int    `json:"rows"`
}

func expect[R any](table schemas.Table, key string, files []string, rows []R) expectation {
	e := expectation{Table: table.Name, Tag: table.Tag(), Key: key, Files: files, Rows: []map[string]any{},
		TextBytes: map[string]int64{}, Nulls: map[string]int{}}
	for _, row := range rows {
		v := reflect.ValueOf(row)
		e.Rows = append(e.Rows, structValue(v))
		for i := range v.NumField() {
			if v.Field(i).Kind() != reflect.String {
				continue
			}
			name, optional := column(v.Type().Field(i))
			e.TextBytes[name] += int64(v.Field(i).Len())
			if optional && v.Field(i).Len() == 0 {
				e.Nulls[name]++
			}
		}
	}
	return e
}

func column(f reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name, strings.Contains(","+options+",", ",optional,")
}

func structValue(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		name, optional := column(v.Type().Field(i))
		if field := v.Field(i); optional && field.IsZero() {
			out[name] = nil
		} else {
			out[name] = value(field)
		}
	}
	return out
}

// value writes a value down: dates as YYYY-MM-DD, timestamps as microseconds, long texts as length and hash.
func value(v reflect.Value) any {
	if date, ok := v.Interface().(schemas.Date); ok {
		return date.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return value(v.Elem())
	case reflect.Struct:
		return structValue(v)
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, value(v.Index(i)))
		}
		return list
	case reflect.String:
		return text(v.String())
	}
	return v.Interface()
}

func text(s string) any {
	if len(s) < longText {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%d bytes, sha256 %s", len(s), hex.EncodeToString(sum[:]))
}
