"""DSSDNet in PyTorch eager, the peer of BenchmarkStep: writes a line when it is ready, then for every line it reads, "train"
or "infer", does one training step or one inference batch and writes the seconds that passed and those of processor time.

    echo train | python3 bench.py '{"hidden": 384, "layers": 6, "heads": 12, "batch": 64, "tokens": 128, "threads": 1, "dtype": "float32"}'
"""

import contextlib
import json
import sys
import time

import torch

from dssdnet import Bert, DSSDNet, losses

o = json.loads(sys.argv[1])
device = torch.device(o.get("device", "cpu"))
torch.set_num_threads(o["threads"])
torch.manual_seed(1)
config = {
    "vocab_size": 30522, "hidden_size": o["hidden"], "num_hidden_layers": o["layers"], "num_attention_heads": o["heads"],
    "intermediate_size": 4 * o["hidden"], "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
}
bert, net = Bert(config).to(device), DSSDNet("dssdnet", o["hidden"]).to(device)
both = torch.nn.ModuleList([bert, net])
optimizer = torch.optim.AdamW(both.parameters(), lr=2e-5, weight_decay=5e-4)
b, n = o["batch"], o["tokens"]
ids, types, mask = torch.randint(1000, 30000, (b, n)), torch.zeros(b, n, dtype=torch.long), torch.ones(b, n)
ids, types, mask = ids.to(device), types.to(device), mask.to(device)
y, t = (torch.arange(b, device=device) % 2).float(), (torch.arange(b, device=device) // 2 % 2).float()


def cast():
    return torch.autocast(device.type, dtype=torch.bfloat16) if o["dtype"] == "bfloat16" else contextlib.nullcontext()


def step():
    optimizer.zero_grad(set_to_none=True)
    with cast():
        out = net(bert(ids, types, mask)[:, 0], t)
    out = {k: v.float() for k, v in out.items()}
    sum(losses("dssdnet", out, y, t, 0.5).values()).backward()
    optimizer.step()


def infer():
    with torch.no_grad(), cast():
        net(bert(ids, types, mask)[:, 0], t)


def finish():
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def measure(f):
    wall, cpu = time.perf_counter(), time.process_time()
    f()
    finish()
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}


print("PyTorch", torch.__version__, flush=True)
for line in sys.stdin:
    training = line.strip() == "train"
    both.train(training)
    print(json.dumps(measure(step if training else infer)), flush=True)
