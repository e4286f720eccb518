package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
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
	sent := make(chan error, 1)
	go func() {
		_, err := io.Copy(out, r)
		sent <- err
		cancel()
		drain(r)
	}()
	done, err := q.conn.ExecContext(ctx, fmt.Sprintf("COPY %s TO '/proc/self/fd/%d' (%s)", q.selected(), w.Fd(), options))
	_ = w.Close()
	if err != nil {
		// An interrupted COPY may keep its end of the pipe until the database closes: out gets no more, and nobody waits.
		_ = r.SetReadDeadline(time.Now())
	}
	if serr := <-sent; serr != nil && !errors.Is(serr, os.ErrDeadlineExceeded) {
		return Result{}, fmt.Errorf("write the result: %w", serr)
	}
	if err != nil {
		return Result{}, explainRun(err, q.missing)
	}
	rows, err := done.RowsAffected()
	return Result{Rows: rows}, err
}

// drain reads until DuckDB has closed its end: meeting a closed pipe, a thread of DuckDB would end the process by SIGPIPE.
func drain(r *os.File) {
	defer r.Close()
	for {
		if _, err := io.Copy(io.Discard, r); !errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err := r.SetReadDeadline(time.Time{}); err != nil {
			return
		}
	}
}
