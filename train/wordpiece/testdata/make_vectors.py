"""Makes the vectors of train/wordpiece from Hugging Face tokenizers (pip install tokenizers==0.23.3):

    python3 train/wordpiece/testdata/make_vectors.py

Writes vectors.jsonl beside this file, and vocab-uncased.txt and vocab-cased.txt, learnt on text generated here, where
they are absent (ties in learning fall by chance, so they are kept). The same version of tokenizers writes the same
vectors for them."""

import json
import pathlib
import random

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).parent
rng = random.Random(20240229)

NOUNS = """valve pump housing polymer catalyst electrode substrate membrane actuator gearbox antenna waveguide transistor
nozzle piston crankshaft bearing sensor controller memory processor compound antibody peptide enzyme vaccine solvent
resin fibre laminate adhesive coating pigment alloy furnace reactor distillation condenser heat exchanger battery anode
cathode separator electrolyte inverter rectifier amplifier oscillator lens mirror laser photodiode display pixel
spectrometer chromatograph centrifuge syringe catheter stent implant prosthesis ventilator wheel axle brake clutch
suspension steering windscreen airbag seat fastener screw rivet weld flange gasket seal spring lever cam conveyor
packaging container lid bottle label printer cartridge ink toner paper loom yarn textile garment zipper shoe sole""".split()
VERBS = """comprises includes receives transmits rotates engages couples heats cools oxidises hydrogenates polymerises
detects measures encodes decodes stores displays supports secures seals releases absorbs reflects filters separates
mixes deposits etches anneals doping moulding extruding sterilizing administering""".split()
ADJECTIVES = """first second outer inner hollow flexible rigid annular axial radial substantially-planar pre-stressed
electro-magnetic water-soluble heat-resistant non-woven thermoplastic optical magnetic biodegradable pharmaceutically
acceptable said predetermined at-least-one plurality-of""".split()
FORMULAS = """H2SO4 C6H12O6 NaCl Fe2O3 TiO2 Al2O3·3H2O CH3-CH2-OH (C2H4)n Ca(OH)2 [Cu(NH3)4]2+ H₂SO₄ C₆H₁₂O₆ SO₄²⁻ Fe³⁺
LiNi0.8Co0.15Al0.05O2 YBa₂Cu₃O₇₋δ R1-C(=O)-NH-R2 N,N-dimethylformamide 2,4,6-trinitrotoluene α-D-glucopyranose β-lactam
γ-Al₂O₃ Δ9-tetrahydrocannabinol poly(ethylene-co-vinyl) IL-2Rα TNF-α p53 CD4⁺ 5'-ATGCCGTAA-3' sn-glycero-3-phosphocholine
E=mc² F=m·a x²+y²=r² ∫₀^∞e⁻ˣdx Σᵢxᵢ ∂u/∂t ∇·B=0 √(a²+b²) ≤10⁻³ ≥99.9% ±0.5°C 25°C 10⁻⁶Pa 5µm 5μm 100Ω 4.7kΩ 1×10⁶ cm⁻¹
λ/4 θ₁≈θ₂ ½ ¾ ⅓ 37ºC 3′ 5″ 12Å 300K 1.2e-5 1,000,000 0.5-2.0mm pH7.4 v/v% wt.% mol% U.S.$5 £10 €20 ¥300 §112 ¶3 ®™©""".split()
FOREIGN = ["Verfahren zur Herstellung von Stärkeäther, wäßrige Lösung, Kühlgefäß, Übertragungseinrichtung, ÄÖÜ äöü ß ẞ",
           "Procédé de fabrication d'un élément à mémoire; où l'électrode est déposée, cœur, Œuvre, naïve, façade, ÉÀÇ",
           "Устройство для измерения давления содержит датчик и корпус", "Метод получения ёлочного экстракта Йод",
           "半導体装置及びその製造方法", "カタカナ ひらがな ｶﾀｶﾅ ガギグ", "一种用于测量压力的装置，包括传感器", "반도체 장치 및 그 제조 방법",
           "جهاز لقياس الضغط", "מכשיר למדידת לחץ", "อุปกรณ์วัดความดัน", "दाब मापने का यंत्र", "thiết bị đo áp suất", "Συσκευή μέτρησης της πίεσης ΑΣ",
           "dispositivo de medición según la reivindicación ñ Ñ", "İstanbul ısı ışık Iğdır", "ŁÓDŹ zażółć gęślą jaźń", "ångström Ørsted",
           "ﬁlter ﬂow ﬀ ĳ ŉ ǆ", "𝐇𝐞𝐥𝐥𝐨 𝛼𝛽 𝟙𝟚", "😀 lab-on-a-chip 🧪🔬", "a\u0301 e\u0308 o\u0302\u0323 n\u0303 \u1e69 \u212b \u2126 \u00c5", "㎏ ㎡ ℃ ℉ № ℓ ™ ⅷ Ⅻ ①②"]
ODD = ["", " ", "\t\n\r", "\u00a0", "a\u00a0b", "a\u200bb", "a\u200db", "a\ufeffb", "a\u00adb", "a\x00b", "a\x07b", "a\ufffdb", "a\u2028b", "a\x85b", "a\x1cb",
       "a" * 99, "a" * 100, "a" * 101, "é" * 100, "é" * 101, "x" * 500, "-" * 120, "valve" * 20, "valve" * 21, "[CLS", "SEP]", "##valve", "# # valve", "...", "___", "a_b",
       "e\u0301" * 60, "\u0301", "\u0301valve", "10\u20445", "\u3000", "\u3000valve\u3000", "\u1680", "\u180e", "a\u2060b", "\ue000valve", "\U0001f9ea", "\u0130", "\u1e9e",
       "\u037e", "\u1fef", "\u2001valve", "\u0344", "\uf900", "\u2f800", "\U0002a700", "\u0f77", "\u1734valve", "\u166dvalve", "\u2e5dvalve", "\u0890valve"]


def phrase():
    n = rng.randint(2, 12)
    words = []
    for _ in range(n):
        kind = rng.random()
        w = rng.choice(NOUNS if kind < .4 else VERBS if kind < .6 else ADJECTIVES if kind < .78 else FORMULAS)
        if kind >= .93:
            w = rng.choice(FOREIGN)
        if rng.random() < .15:
            w = w.upper() if rng.random() < .3 else w.capitalize()
        if rng.random() < .1:
            w += rng.choice(["s", "'s", "ing", "ed", "-like", "/" + rng.choice(NOUNS), " (" + str(rng.randint(1, 400)) + ")", ";", ",", ":", "."])
        words.append(w)
    return rng.choice([" ", " ", " ", "  ", "\n", "\t", ", "]).join(words) + rng.choice(["", ".", ";", " .", "!"])


def learn(lower, texts, path):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(lowercase=lower)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if not path.exists():
        t.train_from_iterator(texts, trainers.WordPieceTrainer(
            vocab_size=1500, min_frequency=2, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], show_progress=False))
        vocab = [w for w, _ in sorted(t.get_vocab().items(), key=lambda x: x[1])]
        path.write_text("".join(w + "\n" for w in vocab), encoding="utf-8")
    vocab = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    # A tokenizer of the bare vocabulary: special tokens are not recognised in texts.
    u = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocab)}, unk_token="[UNK]", max_input_chars_per_word=100))
    u.normalizer, u.pre_tokenizer = t.normalizer, t.pre_tokenizer
    u.post_processor = processors.BertProcessing(("[SEP]", vocab.index("[SEP]")), ("[CLS]", vocab.index("[CLS]")))
    return vocab, u


def main():
    train = [phrase() for _ in range(4000)]
    texts = ODD + FOREIGN + FORMULAS + [phrase() for _ in range(1200)]
    # Every 16th code point of the planes that hold scripts, between letters and alone.
    texts += ["a%cb %c" % (c, c) for c in list(range(0x80, 0x3100, 16)) + list(range(0xa000, 0xd7a4, 96)) + list(range(0xf900, 0x10000, 16))]
    lines = [{"text": t} for t in texts]
    for _ in range(700):
        lines.append({"text": " ".join(phrase() for _ in range(rng.randint(0, 4))), "pair": " ".join(phrase() for _ in range(rng.randint(0, 4))),
                      "max": rng.choice([8, 9, 16, 31, 64, 127, 128])})
    for name, lower in (("uncased", True), ("cased", False)):
        vocab, t = learn(lower, train, HERE / f"vocab-{name}.txt")
        for line in lines:
            if "pair" in line:
                t.enable_truncation(line["max"], strategy="longest_first")
                e = t.encode(line["text"], line["pair"])
                line[name], line["second"] = e.ids, line.get("second", {})
                line["second"][name] = sum(1 for x in e.type_ids if x == 0)
            else:
                t.no_truncation()
                line[name] = t.encode(line["text"], add_special_tokens=False).ids
    with open(HERE / "vectors.jsonl", "w", encoding="utf-8") as f:
        for line in lines:
            f.write(json.dumps(line, separators=(",", ":")) + "\n")
    print(len(lines), "vectors")


main()
