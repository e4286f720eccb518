"""Time of scoring pairs with DSSDNet in PyTorch eager, every batch padded to the full length: the peer of BenchmarkScore.

    python3 bench.py '{"hidden": 384, "layers": 6, "heads": 12, "batch": 64, "tokens": 128, "threads": 1, "lengths": [40, 128, 90]}'
"""
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "train" / "testdata" / "reference"))

import torch

from dssdnet import Bert, DSSDNet

o = json.loads(sys.argv[1])
torch.set_num_threads(o["threads"])
torch.manual_seed(1)
bert = Bert({
    "vocab_size": 30522, "hidden_size": o["hidden"], "num_hidden_layers": o["layers"], "num_attention_heads": o["heads"],
    "intermediate_size": 4 * o["hidden"], "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
}).eval()
net = DSSDNet("dssdnet", o["hidden"]).eval()
n = o["tokens"]
ids = torch.randint(1000, 30000, (o["batch"], n))
types = torch.zeros(o["batch"], n, dtype=torch.long)


def score():
    with torch.no_grad():
        for start in range(0, len(o["lengths"]), o["batch"]):
            lengths = torch.tensor(o["lengths"][start:start + o["batch"]])
            mask = (torch.arange(n)[None, :] < lengths[:, None]).float()
            rows = len(lengths)
            net(bert(ids[:rows], types[:rows], mask)[:, 0], torch.zeros(rows))


score()
wall, cpu = time.perf_counter(), time.process_time()
score()
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}))
