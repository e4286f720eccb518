package duck

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/duckdb/duckdb-go/v2"

	"dssdnet/internal/settings"
)

// MinMemory is the least memory that DuckDB gets: below it, plain scans of wide Parquet files fail.
const MinMemory = 128 << 20

// Config bounds what a database may use.
type Config struct {
	Memory  settings.Bytes // buffers and operators together, at least MinMemory; beyond it DuckDB spills to Temp
	Threads int            // 0 is one per core
	Temp    string         // folder for spilled data, made when missing; its files go with Close
}

// DB is a database that lives in memory until Close. It is safe for concurrent use.
type DB struct {
	*sql.DB
	temp string
}

// Open makes an empty database.
func Open(ctx context.Context, c Config) (*DB, error) {
	if c.Memory < MinMemory {
		return nil, fmt.Errorf("DuckDB cannot work in %s of memory: give it at least %s", c.Memory, settings.Bytes(MinMemory))
	}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	if err := os.MkdirAll(c.Temp, 0o755); err != nil {
		return nil, fmt.Errorf("make DuckDB's temporary folder: %w", err)
	}
	temp, err := os.MkdirTemp(c.Temp, "duckdb-")
	if err != nil {
		return nil, fmt.Errorf("make DuckDB's temporary folder: %w", err)
	}
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		_ = os.RemoveAll(temp)
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	db := &DB{DB: sql.OpenDB(connector), temp: temp}
	for _, set := range []string{
		fmt.Sprintf("SET memory_limit = '%dB'", c.Memory),
		fmt.Sprintf("SET threads = %d", c.Threads),
		"SET temp_directory = " + Literal(filepath.Clean(temp)),
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
	} {
		if _, err := db.ExecContext(ctx, set); err != nil {
			_ = db.Close()
			return nil, fmt.Errorf("open DuckDB: %s: %w", set, err)
		}
	}
	return db, nil
}

// Close drops the database and its spilled data.
func (db *DB) Close() error {
	err := db.DB.Close()
	if rerr := os.RemoveAll(db.temp); err == nil {
		err = rerr
	}
	return err
}
