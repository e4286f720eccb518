package query

import (
	"context"
	"fmt"
	"io"
	"os"
)

// copyOptions are DuckDB's for the formats that stream.
var copyOptions = map[string]string{
	CSV:     "FORMAT csv, HEADER true",
	JSON:    "FORMAT json, ARRAY true",
	JSONL:   "FORMAT json",
	Parquet: "FORMAT parquet, COMPRESSION zstd",
}

// stream lets DuckDB write the result into a pipe and copies it to out. DuckDB's driver would hold the whole result.
func (q *query) stream(ctx context.Context, out io.Writer, options string) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w, err := os.Pipe()
	if err != nil {
		return Result{}, fmt.Errorf("make a pipe: %w", err)
	}
	defer r.Close()
	sent := make(chan error, 1)
	go func() {
		_, err := io.Copy(out, r)
		if err != nil {
			cancel()
			// DuckDB must not meet a closed pipe: the signal would end the process.
			_, _ = io.Copy(io.Discard, r)
		}
		sent <- err
	}()
	done, err := q.conn.ExecContext(ctx, fmt.Sprintf("COPY %s TO '/proc/self/fd/%d' (%s)", q.selected(), w.Fd(), options))
	_ = w.Close()
	if serr := <-sent; serr != nil {
		return Result{}, fmt.Errorf("write the result: %w", serr)
	}
	if err != nil {
		return Result{}, explainRun(err, q.missing)
	}
	rows, err := done.RowsAffected()
	return Result{Rows: rows}, err
}
