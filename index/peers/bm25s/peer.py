"""Indexes documents.txt and searches topics.txt with bm25s, on one thread. Prints one JSON object with the figures, and
writes the hits of every topic as numbers of documents, counted from 0.

Arguments: folder of the two files, folder for the hits, number of hits. Needs: pip install bm25s numba
A line of the files is an id, a tab, and terms with spaces between them.
"""

import json
import os
import sys
import time

import bm25s
import numpy as np


def read(path, vocabulary, grow):
    names, bags = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, _, text = line.rstrip("\n").partition("\t")
            terms = text.split(" ") if text else []
            if grow:
                bag = [vocabulary.setdefault(term, len(vocabulary)) for term in terms]
            else:
                bag = [vocabulary[term] for term in terms if term in vocabulary]
            names.append(name)
            bags.append(bag)
    return names, bags


def peak_bytes():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM:"))


def main():
    source, out, hits = sys.argv[1], sys.argv[2], int(sys.argv[3])
    started = time.process_time()
    vocabulary = {}
    _, documents = read(os.path.join(source, "documents.txt"), vocabulary, True)
    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene", backend="numba")
    index.index((documents, vocabulary), create_empty_token=True, show_progress=False)
    figures = {"version": bm25s.__version__, "documents": len(documents)}
    del documents
    figures["build_cpu_s"] = time.process_time() - started
    figures["bytes"] = int(sum(index.scores[key].nbytes for key in ("data", "indices", "indptr")))

    names, topics = read(os.path.join(source, "topics.txt"), vocabulary, False)
    hits = min(hits, figures["documents"])
    index.retrieve(topics[:2], k=hits, show_progress=False, n_threads=0)  # compiles
    started = time.process_time()
    found = index.retrieve(topics, k=hits, show_progress=False, n_threads=0, return_as="documents")
    figures["topics"] = len(topics)
    figures["all_cpu_ms"] = (time.process_time() - started) * 1000 / max(1, len(topics))
    figures["all_run"] = os.path.join(out, "all.txt")
    with open(figures["all_run"], "w", encoding="utf-8") as run:
        for name, numbers in zip(names, np.asarray(found)):
            run.write(name + "".join(f" {number}" for number in numbers) + "\n")
    figures["peak_bytes"] = peak_bytes()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
