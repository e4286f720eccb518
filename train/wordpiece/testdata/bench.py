"""Hugging Face tokenizers on one thread, the peer of BenchmarkPairs: writes a line when it is ready, then for every line it
reads encodes all pairs of a file and writes the seconds that passed and those of processor time.

    echo | python3 bench.py VOCAB MAX_TOKENS PAIRS        each line of PAIRS is a JSON array of two texts
"""

import json
import os
import sys
import time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
import tokenizers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

vocab = {w: i for i, w in enumerate(open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n"))}
t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
t.post_processor = processors.BertProcessing(("[SEP]", vocab["[SEP]"]), ("[CLS]", vocab["[CLS]"]))
t.enable_truncation(int(sys.argv[2]), strategy="longest_first")
t.enable_padding()
pairs = [tuple(json.loads(line)) for line in open(sys.argv[3], encoding="utf-8")]
print("tokenizers", tokenizers.__version__, flush=True)
for _ in sys.stdin:
    wall, cpu = time.perf_counter(), time.process_time()
    t.encode_batch(pairs)
    print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}), flush=True)
