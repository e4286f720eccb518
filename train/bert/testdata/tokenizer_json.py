"""Compares what a tokenizer.json makes of texts with vectors of train/wordpiece:

    python3 tokenizer_json.py TOKENIZER_JSON VECTORS_JSONL uncased|cased        needs tokenizers

Prints the number of vectors compared and those that differ."""

import json
import sys

from tokenizers import Tokenizer

path, vectors, name = sys.argv[1:]
t = Tokenizer.from_file(path)
compared, differ = 0, []
for line in open(vectors, encoding="utf-8"):
    v = json.loads(line)
    if "pair" in v:
        t.enable_truncation(v["max"], strategy="longest_first")
        e = t.encode(v["text"], v["pair"])
        same = e.ids == v[name] and e.type_ids.count(0) == v["second"][name]
    else:
        t.no_truncation()
        same = t.encode(v["text"], add_special_tokens=False).ids == v[name]
    compared += 1
    if not same:
        differ.append(v["text"])
json.dump({"compared": compared, "differ": differ}, sys.stdout)
