package query

import (
	"errors"
	"regexp"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"dssdnet/internal/fault"
)

var noTable = regexp.MustCompile(`Table with name "?(\w+)"? does not exist`)

// explain sorts an error of DuckDB by what the caller has to do. missing are the commands that make the tables that
// do not exist yet.
func explain(err error, missing map[string]string) error {
	var d *duckdb.Error
	if !errors.As(err, &d) {
		return err
	}
	if m := noTable.FindStringSubmatch(d.Msg); m != nil {
		if command, ok := missing[strings.ToLower(m[1])]; ok {
			return fault.New(fault.Rejected, "there is no table %s yet: run `%s` first", m[1], command)
		}
	}
	switch d.Type {
	case duckdb.ErrorTypeOutOfMemory:
		return fault.New(fault.Failed, "the query needs more memory than --memory-limit allows: %w", d)
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeInternal, duckdb.ErrorTypeFatal, duckdb.ErrorTypeInterrupt, duckdb.ErrorTypePermission:
		return d
	default:
		return fault.New(fault.Usage, "%w", d)
	}
}

// explainRun is explain for the statement that the caller's is wrapped in: the place it points at means nothing to
// them.
func explainRun(err error, missing map[string]string) error {
	var d *duckdb.Error
	if errors.As(err, &d) {
		d.Msg, _, _ = strings.Cut(d.Msg, "\n\nLINE ")
	}
	return explain(err, missing)
}
