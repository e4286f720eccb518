"""Reads tables with one engine and compares them with what the writer says they hold.

usage: read_tables.py pyarrow|polars|duckdb EXPECTED.json

Prints versions and counts. Prints every difference (the first of each table) and exits with 1 when there is one.
"""

import datetime
import hashlib
import json
import sys

LONG_TEXT = 1000  # bytes from which a text is compared by length and hash, as in expected_test.go
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(value):
    """Writes a value down as expected_test.go does."""
    if isinstance(value, str):
        data = value.encode()
        if len(data) < LONG_TEXT:
            return value
        return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            value = value.replace(tzinfo=datetime.timezone.utc)
        return (value - EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


class PyArrow:
    def __init__(self, files):
        import pyarrow
        import pyarrow.compute
        import pyarrow.dataset

        self.compute, self.field = pyarrow.compute, pyarrow.dataset.field
        self.dataset = pyarrow.dataset.dataset(files, format="parquet")
        self.version = pyarrow.__version__
        self.table = self.dataset.to_table()

    def rows(self):
        return self.table.to_pylist()

    def text_bytes(self, column):
        return self.compute.sum(self.compute.binary_length(self.table[column])).as_py() or 0

    def nulls(self, column):
        return self.table[column].null_count

    def lookup(self, column, value):
        return self.dataset.count_rows(filter=self.field(column) == value)


class Polars:
    def __init__(self, files):
        import polars

        self.polars = polars
        self.frame = polars.scan_parquet(files)
        self.version = polars.__version__

    def rows(self):
        return self.frame.collect().to_dicts()

    def text_bytes(self, column):
        return self.frame.select(self.polars.col(column).str.len_bytes().sum()).collect().item()

    def nulls(self, column):
        return self.frame.select(self.polars.col(column).null_count()).collect().item()

    def lookup(self, column, value):
        return self.frame.filter(self.polars.col(column) == value).select(self.polars.len()).collect().item()


class DuckDB:
    def __init__(self, files):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute("SET TimeZone = 'UTC'")
        self.files = files
        self.version = duckdb.__version__

    def query(self, select, *values):
        return self.connection.execute(select.replace("TABLE", "read_parquet(?)"), [self.files, *values])

    def rows(self):
        cursor = self.query("SELECT * FROM TABLE")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]

    def text_bytes(self, column):
        return int(self.query(f'SELECT coalesce(sum(strlen("{column}")), 0) FROM TABLE').fetchone()[0])

    def nulls(self, column):
        return self.query(f'SELECT count(*) FILTER ("{column}" IS NULL) FROM TABLE').fetchone()[0]

    def lookup(self, column, value):
        return self.query(f'SELECT count(*) FROM TABLE WHERE "{column}" = ?', value).fetchone()[0]


ENGINES = {"pyarrow": PyArrow, "polars": Polars, "duckdb": DuckDB}


def differences(engine, expected):
    """Yields one line for each thing that is not as expected."""
    found = engine.rows()
    if len(found) != len(expected["rows"]):
        yield f'{len(found)} rows, want {len(expected["rows"])}'
    rows = {row[expected["key"]]: plain(row) for row in found}
    for row in expected["rows"]:
        key = row[expected["key"]]
        got = rows.get(key)
        if got != row:
            columns = row if got is None else [c for c in row if c not in got or got[c] != row[c]] + [c for c in got if c not in row]
            yield f"row {key}: " + "; ".join(f"{c} is {got and got.get(c)!r}, want {row.get(c)!r}" for c in columns)
            break
    for column, size in expected["text_bytes"].items():
        if (got := engine.text_bytes(column)) != size:
            yield f"{column}: {got} bytes of text, want {size}"
        nulls = expected["nulls"].get(column, 0)
        if (got := engine.nulls(column)) != nulls:
            yield f"{column}: {got} NULLs, want {nulls}"
    for lookup in expected["lookups"]:
        got = engine.lookup(lookup["column"], lookup["value"])
        if got != lookup["rows"]:
            yield f'{lookup["column"]} = {lookup["value"]!r}: {got} rows, want {lookup["rows"]}'


def tag_differences(expected):
    """Yields files whose metadata do not name the table and its version."""
    import pyarrow.parquet

    for path in expected["files"]:
        tag = pyarrow.parquet.read_metadata(path).metadata.get(b"dssdnet.schema", b"").decode()
        if tag != expected["tag"]:
            yield f'{path}: dssdnet.schema is {tag!r}, want {expected["tag"]!r}'


def main(name, path):
    with open(path, encoding="utf-8") as file:
        tables = json.load(file)
    failed = False
    for expected in tables:
        engine = ENGINES[name](expected["files"])
        found = list(differences(engine, expected)) + list(tag_differences(expected))
        failed = failed or bool(found)
        print(f'{name} {engine.version}: {expected["table"]}, {len(expected["rows"])} rows: {"as written" if not found else "DIFFERENT"}')
        for line in found:
            print("  " + line[:2000])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
