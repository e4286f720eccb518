package duck

import "strings"

// Literal writes s as a string literal of SQL.
func Literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Ident writes s as a quoted identifier of SQL.
func Ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// Files writes paths as the first argument of read_parquet. DuckDB reads the characters * ? [ of a path as a
// pattern; in brackets each stands for itself.
func Files(paths []string) string {
	literals := make([]string, len(paths))
	for i, path := range paths {
		literals[i] = Literal(escapeGlob.Replace(path))
	}
	return "[" + strings.Join(literals, ", ") + "]"
}

var escapeGlob = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")
