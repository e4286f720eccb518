// Package interop checks that other tools read our tables as we wrote them: pyarrow, polars and DuckDB in Python.
//
// The test writes Parquet files of literal rows and, beside them, what they hold as JSON (expected.go says how values
// are written down). read_tables.py reads the files with one engine each and compares rows, counts, sums of text
// lengths and look-ups by value. It needs a Python with requirements.txt, named by DSSDNET_PYTHON; setup-venv.sh makes
// one.
package interop
