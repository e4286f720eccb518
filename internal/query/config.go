package query

import (
	"io"
	"log/slog"
	"slices"
	"strings"

	"dssdnet/internal/fault"
	"dssdnet/internal/settings"
	"dssdnet/internal/workspace"
)

// Formats of the output.
const (
	Table   = "table"   // aligned text, for looking
	CSV     = "csv"     // with a header; NULL is empty, lists and structs are DuckDB's text
	JSON    = "json"    // one array of objects
	JSONL   = "jsonl"   // one object a line
	Parquet = "parquet" // zstd
)

var formats = []string{Table, CSV, JSON, JSONL, Parquet}

// Config of one query.
type Config struct {
	Workspace workspace.Dir `yaml:"-"`
	Log       *slog.Logger  `yaml:"-"` // nil discards
	SQL       string        `yaml:"-"` // one statement
	Out       io.Writer     `yaml:"-"` // where the result goes without Output

	Format      string         `yaml:"format" help:"table, csv, json (an array), jsonl (an object a line) or parquet"`
	Output      string         `yaml:"output" help:"file to write, replaced when the query has succeeded; without it the result goes to standard output"`
	MaxRows     int            `yaml:"max-rows" help:"rows that the table format shows"`
	Width       int            `yaml:"width" help:"characters in a line of the table format; 0 is 120"`
	MemoryLimit settings.Bytes `yaml:"memory-limit" help:"memory to work in; what does not fit goes to the workspace's tmp folder"`
	Threads     int            `yaml:"threads" help:"cores to use; 0 is all"`
}

// Default is what the command starts from.
func Default() Config { return Config{Format: Table, MaxRows: 100, MemoryLimit: 1 << 30} }

// minMemory is the least MemoryLimit.
const minMemory = 128 << 20

// Validate says what is wrong with the call.
func (c Config) Validate() error {
	switch {
	case strings.TrimSpace(c.SQL) == "":
		return fault.New(fault.Usage, `no SQL given: dssdnet query "SELECT count(*) FROM patents"`)
	case !slices.Contains(formats, c.Format):
		return fault.New(fault.Usage, "--format %q is none of %s", c.Format, strings.Join(formats, ", "))
	case c.Output == "" && c.Out == nil:
		return fault.New(fault.Usage, "no output given")
	case c.MaxRows < 1 || c.MaxRows > maxRows:
		return fault.New(fault.Usage, "--max-rows is %d, must be from 1 to %d: for more rows use --format csv", c.MaxRows, maxRows)
	case c.Width < 0:
		return fault.New(fault.Usage, "--width is %d, must be 0 or more", c.Width)
	case c.MemoryLimit < minMemory:
		return fault.New(fault.Usage, "--memory-limit is %s, DuckDB needs at least %s", c.MemoryLimit, settings.Bytes(minMemory))
	case c.Threads < 0:
		return fault.New(fault.Usage, "--threads is %d, must be 0 (all cores) or more", c.Threads)
	}
	return nil
}

// maxRows bounds MaxRows: a table is held in memory to be aligned.
const maxRows = 10_000

// Result of one query.
type Result struct {
	Rows    int64   `json:"rows"`    // written; with table those shown
	More    bool    `json:"more"`    // the table left rows out
	Seconds float64 `json:"seconds"` // wall time
}
