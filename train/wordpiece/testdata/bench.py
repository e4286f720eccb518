"""Seconds that Hugging Face tokenizers needs, on one thread, for the pairs that BenchmarkPairs sends.

    python3 bench.py VOCAB MAX_TOKENS < pairs.jsonl        each line is a JSON array of two texts
"""

import json
import os
import sys
import time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

vocab = {w: i for i, w in enumerate(open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n"))}
t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
t.normalizer, t.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
t.post_processor = processors.BertProcessing(("[SEP]", vocab["[SEP]"]), ("[CLS]", vocab["[CLS]"]))
t.enable_truncation(int(sys.argv[2]), strategy="longest_first")
t.enable_padding()
pairs = [tuple(json.loads(line)) for line in sys.stdin]
best = None
for _ in range(5):
    start = time.perf_counter()
    encoded = t.encode_batch(pairs)
    seconds = time.perf_counter() - start
    best = seconds if best is None else min(best, seconds)
print(json.dumps({"seconds": best, "tokens": sum(sum(e.attention_mask) for e in encoded)}))
