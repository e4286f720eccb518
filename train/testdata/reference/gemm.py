"""What PyTorch's matrix product alone reaches on one thread, for the products of an encoder's training step and inference
batch: the bound of BenchmarkStep.

    python3 gemm.py '{"hidden": 384, "layers": 6, "heads": 12, "batch": 64, "tokens": 128, "dtype": "float32"}'

Seconds are of processor time. A product of a step is counted three times: its result, and the gradients of both factors.
"""

import json
import sys
import time

import torch

o = json.loads(sys.argv[1])
torch.set_num_threads(1)
dtype = getattr(torch, o["dtype"])
rows, h, wide, n = o["batch"] * o["tokens"], o["hidden"], 4 * o["hidden"], o["tokens"]
head, count = h // o["heads"], o["batch"] * o["heads"]


def seconds(f):
    f()
    best = None
    for _ in range(3):
        start = time.process_time()
        f()
        used = time.process_time() - start
        best = used if best is None else min(best, used)
    return best


def product(rows, inner, out):
    """Seconds of X W^T, and of the two products that give the gradients of X and W, each into memory that is there."""
    x, w, d = (torch.randn(s).to(dtype) for s in ((rows, inner), (out, inner), (rows, out)))
    y, dx, dw = torch.empty_like(d), torch.empty_like(x), torch.empty_like(w)
    return tuple(seconds(lambda: torch.mm(a, b, out=c)) for a, b, c in ((x, w.t(), y), (d, w, dx), (d.t(), x, dw)))


def attention():
    """Seconds of one head's scores and of its weighted values, float32, as train/torch/native does them."""
    q, k = torch.randn(n, head), torch.randn(n, head)
    scores, out = torch.empty(n, n), torch.empty(n, head)

    def heads():
        for _ in range(200):
            torch.mm(q, k.t(), out=scores)
            torch.mm(scores, k, out=out)

    return seconds(heads) / 200


total = {"step": [0.0, 0.0], "inference": [0.0, 0.0]}  # seconds, floating point operations


def add(name, times, flops, layers):
    print(f"{name:10} {flops / 1e9:7.2f} GFLOP " + " ".join(f"{flops / t / 1e9:6.1f}" for t in times) + " GFLOP/s")
    for kind, some in (("step", times), ("inference", times[:1])):
        total[kind][0] += layers * sum(some)
        total[kind][1] += layers * flops * len(some)


whole = o["layers"] - 1  # of the last layer, the first position only is wanted, but all keys and values
add("qkv", product(rows, h, 3 * h), 2 * rows * h * 3 * h, whole)
add("out", product(rows, h, h), 2 * rows * h * h, whole)
add("widen", product(rows, h, wide), 2 * rows * h * wide, whole)
add("narrow", product(rows, wide, h), 2 * rows * wide * h, whole)
add("last k, v", product(rows, h, 2 * h), 2 * rows * h * 2 * h, 1)
t = attention() * count
add("heads", (t, t, t), 4 * count * n * n * head, whole)
for kind, (s, flops) in total.items():
    print(f"{kind:10} {flops / 1e9:7.1f} GFLOP {s:.2f} s {flops / s / 1e9:.1f} GFLOP/s")
