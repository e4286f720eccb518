package query

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"regexp"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"dssdnet/internal/duck"
	"dssdnet/internal/durable"
	"dssdnet/internal/fault"
)

// Run answers the query.
func Run(ctx context.Context, c Config) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	statement, err := single(c.SQL)
	if err != nil {
		return Result{}, fault.New(fault.Usage, "%w", err)
	}
	if _, err := os.Stat(string(c.Workspace)); err != nil {
		return Result{}, fault.New(fault.Usage, "there is no workspace at %s: %w", c.Workspace, err)
	}
	started := time.Now()
	temp, err := tempFolder(c.Workspace)
	if err != nil {
		return Result{}, err
	}
	db, err := duck.Open(ctx, duck.Config{Memory: c.MemoryLimit, Threads: c.Threads, Temp: temp})
	if err != nil {
		return Result{}, errors.Join(err, os.RemoveAll(temp))
	}
	result, err := c.answer(ctx, db, statement)
	err = errors.Join(err, db.Close(), os.RemoveAll(temp))
	result.Seconds = time.Since(started).Seconds()
	return result, err
}

func (c Config) answer(ctx context.Context, db *duck.DB, statement string) (Result, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("open DuckDB: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "SET TimeZone = 'UTC'"); err != nil {
		return Result{}, fmt.Errorf("open DuckDB: %w", err)
	}
	missing, err := createViews(ctx, conn, c.Workspace)
	if err != nil {
		return Result{}, err
	}
	q := &query{conn: conn, sql: statement, missing: missing}
	kind, err := q.kind(ctx)
	if err != nil {
		return Result{}, err
	}
	switch {
	case kind == duckdb.STATEMENT_TYPE_COPY:
		result, err := q.copyTo(ctx)
		if err == nil {
			c.Log.Info("copied", "rows", result.Rows)
		}
		return result, err
	case kind == duckdb.STATEMENT_TYPE_EXPLAIN && c.Format != Table:
		return Result{}, fault.New(fault.Usage, "EXPLAIN has no --format %s: leave it out", c.Format)
	case kind != duckdb.STATEMENT_TYPE_SELECT && kind != duckdb.STATEMENT_TYPE_EXPLAIN:
		return Result{}, fault.New(fault.Usage, "only SELECT, EXPLAIN and COPY ... TO: the tables are made by the other commands")
	}
	return c.send(func(out io.Writer) (Result, error) {
		switch {
		case kind == duckdb.STATEMENT_TYPE_EXPLAIN:
			return q.explain(ctx, out)
		case c.Format == Table:
			return q.table(ctx, out, c.MaxRows, c.Width)
		default:
			return q.stream(ctx, out, copyOptions[c.Format])
		}
	})
}

// send gives write the output: a file that appears when the query has succeeded, or Out.
func (c Config) send(write func(io.Writer) (Result, error)) (Result, error) {
	if c.Output == "" {
		return write(c.Out)
	}
	f, err := durable.Create(c.Output)
	if err != nil {
		return Result{}, fmt.Errorf("write %s: %w", c.Output, err)
	}
	defer f.Discard()
	result, err := write(f)
	if err != nil {
		return Result{}, err
	}
	if err := f.Replace(); err != nil {
		return Result{}, fmt.Errorf("write %s: %w", c.Output, err)
	}
	c.Log.Info("written", "file", c.Output, "rows", result.Rows)
	return result, nil
}

// query is a statement over the views.
type query struct {
	conn    *sql.Conn
	sql     string
	missing map[string]string
}

// pragma matches what DuckDB counts as a SELECT and cannot select from.
var pragma = regexp.MustCompile(`(?i)^\s*PRAGMA\b`)

// kind lets DuckDB parse and bind the statement, so that its message shows the caller's own words.
func (q *query) kind(ctx context.Context) (kind duckdb.StmtType, err error) {
	if pragma.MatchString(q.sql) {
		return 0, fault.New(fault.Usage, "PRAGMA is not for queries: DESCRIBE, SUMMARIZE and SHOW TABLES tell about tables")
	}
	err = q.conn.Raw(func(c any) error {
		prepared, err := c.(driver.ConnPrepareContext).PrepareContext(ctx, q.sql)
		if d := new(duckdb.Error); err != nil && !errors.As(err, &d) {
			return fault.New(fault.Usage, "%w", err) // the driver's: nothing but comments
		}
		if err != nil {
			return explain(err, q.missing)
		}
		defer prepared.Close()
		if prepared.NumInput() > 0 {
			return fault.New(fault.Usage, "the SQL has parameters (?, $1), and there are no values for them")
		}
		kind, err = prepared.(*duckdb.Stmt).StatementType()
		return err
	})
	return kind, err
}

// selected is the statement as something to select from.
func (q *query) selected() string { return "(\n" + q.sql + "\n)" }

// copyTo runs the caller's own COPY.
func (q *query) copyTo(ctx context.Context) (Result, error) {
	done, err := q.conn.ExecContext(ctx, q.sql)
	if err != nil {
		return Result{}, explain(err, q.missing)
	}
	rows, err := done.RowsAffected()
	return Result{Rows: rows}, err
}

// explain prints a query plan.
func (q *query) explain(ctx context.Context, out io.Writer) (Result, error) {
	rows, err := q.conn.QueryContext(ctx, q.sql)
	if err != nil {
		return Result{}, explain(err, q.missing)
	}
	defer rows.Close()
	var result Result
	for rows.Next() {
		var name, plan string
		if err := rows.Scan(&name, &plan); err != nil {
			return Result{}, err
		}
		if _, err := fmt.Fprintln(out, plan); err != nil {
			return Result{}, err
		}
		result.Rows++
	}
	return result, rows.Err()
}
