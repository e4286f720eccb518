"""Tokens and [CLS] states that transformers computes for pairs of texts with a model's folder:

    python3 hidden.py DIR MAX_TOKENS < pairs.json        a JSON array of [text, text]; needs transformers and torch
"""

import json
import sys

import torch
from transformers import AutoTokenizer, BertModel

folder, limit = sys.argv[1], int(sys.argv[2])
tokenizer = AutoTokenizer.from_pretrained(folder)
assert tokenizer.is_fast
model, info = BertModel.from_pretrained(folder, add_pooling_layer=False, output_loading_info=True)
assert not info["missing_keys"] and not info["mismatched_keys"], info
model.eval()
out = []
for a, b in json.load(sys.stdin):
    x = tokenizer(a, b, truncation="longest_first", max_length=limit, return_tensors="pt")
    with torch.no_grad():
        out.append({"ids": x["input_ids"][0].tolist(), "first": model(**x).last_hidden_state[0, 0].tolist()})
json.dump(out, sys.stdout)
