"""Makes the numbers that train/bert and train/dssd must reproduce, with the PyTorch of the Python that runs it:

    python3 train/testdata/reference/make_parity.py          needs torch and numpy (Debian: python3-torch)

Writes ../parity: a small random encoder in Hugging Face layout, a batch with padding, the hidden states, and for every
model its initial parameters, loss terms, gradients and the losses of 50 AdamW steps. No dropout.

Fresh parameters make all rows of the batch nearly the same, and gradients smaller than what two programs may differ
by. These are drawn wide, with a seed under which the numbers tell: the script refuses those that are too small to show
a mistake, and those that PyTorch itself computes otherwise in float64."""

import copy
import json
import pathlib

import torch

from dssdnet import Bert, DSSDNet, losses, save_safetensors

OUT = pathlib.Path(__file__).parent.parent / "parity"
CONFIG = {
    "model_type": "bert", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 12,
    "hidden_act": "gelu", "max_position_embeddings": 12, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1, "initializer_range": 0.02, "position_embedding_type": "absolute", "pad_token_id": 0,
}
ALPHA = 0.7
torch.manual_seed(342)
torch.set_num_threads(1)
TOLERANCE = 1e-5  # of the comparison
SMALLEST = 100 * TOLERANCE


def draw(module):
    """Parameters far from their defaults, so that nothing can be left out unseen."""
    for name, p in module.named_parameters():
        if "LayerNorm.weight" in name:
            torch.nn.init.normal_(p, mean=1, std=0.3)
        elif p.dim() == 1 or "embeddings" in name:
            torch.nn.init.normal_(p, std=0.5)
        else:
            torch.nn.init.normal_(p, std=1.5 / p.shape[1] ** 0.5)


def telling(model, terms, gradients, exact):
    """Refuses a term or the largest element of a gradient that a program without it would reproduce, and gradients that
    float32 does not hold. A key's bias adds the same to all scores of a row, which softmax takes away: its gradient is 0."""
    small = [n for n, v in terms.items() if v.item() < SMALLEST]
    small += [n for n, g in gradients.items() if g.abs().max() < SMALLEST and not n.endswith("key.bias")]
    rounded = [n for n, g in gradients.items() if (g - exact[n]).abs().max() > TOLERANCE / 4]
    if small or rounded:
        raise SystemExit(f"{model}: take another seed; too small to show a mistake: {small}; not exact enough in float32: {rounded}")


def main():
    OUT.mkdir(exist_ok=True)
    (OUT / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n")
    start = Bert(CONFIG)
    draw(start)
    save_safetensors(OUT / "model.safetensors", {"bert." + n: p for n, p in start.named_parameters()})

    rows, length = 6, 9
    ids = torch.randint(1, CONFIG["vocab_size"], (rows, length))
    types = (torch.arange(length) >= 4).long().repeat(rows, 1)
    mask = torch.ones(rows, length, dtype=torch.uint8)
    for i, n in enumerate([9, 6, 9, 3, 8, 9]):
        mask[i, n:], ids[i, n:], types[i, n:] = 0, 0, 0
    y, t = torch.tensor([1, 0, 1, 0, 0, 1.0]), torch.tensor([1, 0, 0, 1, 0, 1.0])
    batch = {"ids": ids, "types": types, "mask": mask, "relevance": y, "domain": t}
    start.eval()
    batch["hidden"] = start(ids, types, mask)
    save_safetensors(OUT / "batch.safetensors", batch)

    def forward_backward(both, y, t):
        both.zero_grad()
        o = both["dssd"](both["bert"](ids, types, mask)[:, 0], t)
        terms = losses(both["dssd"].model, o, y, t, ALPHA, k=2)
        total = sum(terms.values())
        total.backward()
        return o["score"].tolist(), terms, total.item(), {n: p.grad for n, p in both.named_parameters()}

    report = {"alpha": ALPHA, "torch": torch.__version__}
    for name in ["bert", "ds_sd", "ds_sd_mr", "dssdnet"]:
        bert = Bert(CONFIG)
        bert.load_state_dict(start.state_dict())
        net = DSSDNet(name, CONFIG["hidden_size"])
        draw(net)
        both = torch.nn.ModuleDict({"bert": bert, "dssd": net}).eval()
        initial = {n: p.detach().clone() for n, p in net.named_parameters()}
        optimizer = torch.optim.AdamW(both.parameters(), lr=2e-3, weight_decay=5e-4)
        curve = []
        for step in range(50):
            score, terms, total, gradients = forward_backward(both, y, t)
            if step == 0:
                telling(name, terms, gradients, forward_backward(copy.deepcopy(both).double(), y.double(), t.double())[3])
                report[name] = {"terms": {k: v.item() for k, v in terms.items()}, "score": score}
                save_safetensors(OUT / f"gradients-{name}.safetensors", gradients)
            curve.append(total)
            optimizer.step()
        report[name]["curve"] = curve
        save_safetensors(OUT / f"network-{name}.safetensors", initial)
    (OUT / "report.json").write_text(json.dumps(report, indent=1) + "\n")
    print("losses of the first and last step:", {n: (report[n]["curve"][0], report[n]["curve"][-1]) for n in report if isinstance(report[n], dict)})


main()
