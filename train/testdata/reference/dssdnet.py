"""DSSDNet in plain PyTorch: the reference that train/bert and train/dssd are compared with, and the eager peer of the
benchmarks. Written from the paper's formulas and Hugging Face's names, without transformers."""

import json
import math
import pathlib
import struct

import torch
from torch import nn
from torch.nn import functional as F

DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "U8": torch.uint8}
NAMES = {v: k for k, v in DTYPES.items()}


def load_safetensors(path):
    data = pathlib.Path(path).read_bytes()
    n = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + n])
    header.pop("__metadata__", None)
    out = {}
    for name, e in header.items():
        a, b = e["data_offsets"]
        raw = bytearray(data[8 + n + a:8 + n + b])
        t = torch.frombuffer(raw, dtype=DTYPES[e["dtype"]]) if raw else torch.empty(0, dtype=DTYPES[e["dtype"]])
        out[name] = t.reshape(e["shape"]).clone()
    return out


def save_safetensors(path, tensors):
    header, body = {}, b""
    for name, t in sorted(tensors.items(), key=lambda x: (-x[1].element_size(), x[0])):
        t = t.detach().cpu().contiguous()
        raw = t.view(torch.int16).numpy().tobytes() if t.dtype == torch.bfloat16 else t.numpy().tobytes()
        header[name] = {"dtype": NAMES[t.dtype], "shape": list(t.shape), "data_offsets": [len(body), len(body) + len(raw)]}
        body += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


class SelfAttention(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c["hidden_size"]
        self.heads, self.p = c["num_attention_heads"], c["attention_probs_dropout_prob"]
        self.query, self.key, self.value = nn.Linear(h, h), nn.Linear(h, h), nn.Linear(h, h)

    def forward(self, x, bias):
        b, n, h = x.shape
        split = lambda t: t.view(b, n, self.heads, h // self.heads).transpose(1, 2)
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = q @ k.transpose(-1, -2) / math.sqrt(h // self.heads) + bias[:, None, None, :]
        probs = F.dropout(scores.softmax(-1), self.p, self.training)
        return (probs @ v).transpose(1, 2).reshape(b, n, h)


class Output(nn.Module):
    def __init__(self, size, c):
        super().__init__()
        self.dense = nn.Linear(size, c["hidden_size"])
        self.LayerNorm = nn.LayerNorm(c["hidden_size"], eps=c["layer_norm_eps"])
        self.p = c["hidden_dropout_prob"]

    def forward(self, y, x):
        return self.LayerNorm(F.dropout(self.dense(y), self.p, self.training) + x)


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attention = nn.Module()
        self.attention.self = SelfAttention(c)
        self.attention.output = Output(c["hidden_size"], c)
        self.intermediate = nn.Module()
        self.intermediate.dense = nn.Linear(c["hidden_size"], c["intermediate_size"])
        self.output = Output(c["intermediate_size"], c)

    def forward(self, x, bias):
        x = self.attention.output(self.attention.self(x, bias), x)
        return self.output(F.gelu(self.intermediate.dense(x)), x)


class Bert(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c["hidden_size"]
        self.embeddings = nn.Module()
        self.embeddings.word_embeddings = nn.Embedding(c["vocab_size"], h)
        self.embeddings.position_embeddings = nn.Embedding(c["max_position_embeddings"], h)
        self.embeddings.token_type_embeddings = nn.Embedding(c["type_vocab_size"], h)
        self.embeddings.LayerNorm = nn.LayerNorm(h, eps=c["layer_norm_eps"])
        self.encoder = nn.Module()
        self.encoder.layer = nn.ModuleList(Layer(c) for _ in range(c["num_hidden_layers"]))
        self.p = c["hidden_dropout_prob"]

    def forward(self, ids, types, mask):
        e = self.embeddings
        x = e.word_embeddings(ids) + e.token_type_embeddings(types) + e.position_embeddings.weight[: ids.shape[1]]
        x = F.dropout(e.LayerNorm(x), self.p, self.training)
        bias = (1 - mask.float()) * -1e9
        for layer in self.encoder.layer:
            x = layer(x, bias)
        return x


def steps(start, end, n):
    return [round(start + i * (end - start) / n) for i in range(n + 1)]  # Python rounds halves to even


class Funnel(nn.ModuleList):
    def __init__(self, start, layers, p):
        sizes = steps(start, 2, layers)
        super().__init__(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.p = p

    def forward(self, x):
        for i, l in enumerate(self):
            x = l(F.dropout(torch.tanh(x), self.p, self.training) if i else x)
        return x[:, 1] - x[:, 0]


class MLP(nn.ModuleList):
    def __init__(self, d, p):
        super().__init__(nn.Linear(d, d) for _ in range(2))
        self.p = p

    def forward(self, x):
        for l in self:
            x = F.dropout(torch.tanh(l(x)), self.p, self.training)
        return x


class DSSDNet(nn.Module):
    """model is bert, ds_sd, ds_sd_mr or dssdnet."""

    def __init__(self, model, d, head_layers=4, fusion_layers=4, p=0.1):
        super().__init__()
        self.model, self.p = model, p
        self.head = nn.Module()
        if model == "bert":
            self.head.plain = Funnel(d, head_layers, p)
            return
        self.gate = nn.Module()
        self.gate.s, self.gate.g = nn.Linear(d, d), nn.Linear(d, d)
        self.split = nn.Module()
        self.split.ds, self.split.di = MLP(d, p), MLP(d, p)
        self.head.ds, self.head.di, self.head.domain = (Funnel(d, head_layers, p) for _ in range(3))
        if model != "ds_sd":
            self.fusion = nn.Module()
            self.fusion.label = nn.ModuleList([nn.Linear(1, 32), nn.Linear(32, 64)])
            self.fusion.regression = Funnel(2 * d + 64, fusion_layers, p)

    def forward(self, e, t):
        if self.model == "bert":
            return {"score": self.head.plain(F.dropout(e, self.p, self.training))}
        es = self.gate.s(e)
        g = torch.sigmoid(self.gate.g(es))
        eds, edi = self.split.ds(g * es), self.split.di((1 - g) * es)
        o = {"es": es, "eds": eds, "edi": edi, "ds": self.head.ds(eds), "di": self.head.di(edi), "domain": self.head.domain(eds)}
        if self.model == "ds_sd":
            o["score"] = (o["ds"] + o["di"]) / 2
        else:
            et = self.fusion.label[1](torch.tanh(self.fusion.label[0](t[:, None])))
            o["score"] = self.fusion.regression(torch.cat([eds, edi, et], 1))
        return o


def losses(model, o, y, t, alpha, gamma=2.0, k=8, margin=0.5):
    bce = F.binary_cross_entropy_with_logits
    terms = {}
    if model != "bert":
        terms["ds"], terms["di"] = bce(o["ds"], y), bce(o["di"], y)
        a, b = o["eds"] - o["eds"].mean(0), o["edi"] - o["edi"].mean(0)
        terms["orth"] = ((a.t() @ b / len(y)) ** 2).mean()
        terms["rec"] = F.mse_loss(o["eds"] + o["edi"], o["es"])
        p = torch.sigmoid(o["domain"])
        terms["t"] = (-alpha * t * (1 - p) ** gamma * torch.log(p) - (1 - alpha) * (1 - t) * p ** gamma * torch.log(1 - p)).mean()
    if model != "ds_sd":
        terms["mr"] = bce(o["score"], y)
    if model == "dssdnet":
        s = torch.sigmoid(o["score"])
        pos, neg = s[y == 1], s[y == 0]
        hard = neg.topk(min(k, len(neg))).values
        short = margin - (pos[:, None] - hard[None, :])
        valid = short > 0
        terms["pr"] = short[valid].mean() if valid.any() else s.sum() * 0
    return terms
