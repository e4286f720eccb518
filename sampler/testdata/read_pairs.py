"""Reads pairs/<name>/ with pyarrow, polars and Hugging Face datasets, and prints a hash of the rows of every split as
each of them sees it: one line "reader split rows sha256". NULL is the byte 0, values are separated by 0x1f, rows end
with 0x1e."""
import glob
import hashlib
import os
import sys
import tempfile


def digest(reader, split, columns, rows):
    h, n = hashlib.sha256(), 0
    for row in rows:
        n += 1
        for name in columns:
            v = row[name]
            text = "\0" if v is None else str(v).lower() if isinstance(v, bool) else str(v)
            h.update(text.encode() + b"\x1f")
        h.update(b"\x1e")
    print(reader, split, n, h.hexdigest())


def with_pyarrow(folder, split, files):
    import pyarrow as pa

    tables = []
    for path in files:
        with pa.memory_map(path) as source:
            tables.append(pa.ipc.open_file(source).read_all())
    table = pa.concat_tables(tables)
    digest("pyarrow", split, table.schema.names, table.to_pylist())


def with_polars(folder, split, files):
    import polars

    frame = polars.concat([polars.read_ipc(path) for path in files])
    digest("polars", split, frame.columns, frame.to_dicts())


def with_datasets(folder):
    import datasets

    with tempfile.TemporaryDirectory() as cache:
        for config, splits in {
            "pairs": {"train": "train", "validation": "valid"},
            "groups": {"test": "test"},
            "texts": {"test": "texts"},
        }.items():
            loaded = datasets.load_dataset(folder, config, cache_dir=cache)
            for name, split in splits.items():
                digest("datasets", split, loaded[name].column_names, loaded[name])


folder = sys.argv[1]
for split in ["train", "valid", "test", "texts"]:
    files = sorted(glob.glob(os.path.join(folder, split + "*.arrow")))
    with_pyarrow(folder, split, files)
    with_polars(folder, split, files)
with_datasets(folder)
