"""k-mer counts, spectra and distances by np.unique."""
import textwrap

import numpy as np

CODES = np.full(256, -1, dtype=np.int64)
for k, c in enumerate("ACGT"):
    CODES[ord(c)] = k
    CODES[ord(c.lower())] = k


def random_sequence(n, seed):
    rng = np.random.default_rng(seed)
    return "".join("ACGT"[i] for i in rng.integers(0, 4, n))


def encode(seq: str) -> np.ndarray:
    return CODES[np.frombuffer(seq.encode("ascii"), dtype=np.uint8)]


def kmers(codes: np.ndarray, k: int) -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(codes, k)
    good = (windows >= 0).all(axis=1)
    weights = 4 ** np.arange(k - 1, -1, -1)
    return (windows[good] * weights).sum(axis=1)


def reverse_complement(values, k):
    out = np.zeros_like(values)
    v = values.copy()
    for _ in range(k):
        out = out * 4 + (3 - v % 4)
        v //= 4
    return out


def canonical(values, k):
    return np.minimum(values, reverse_complement(values, k))


def decode(value: int, k: int) -> str:
    return "".join("ACGT"[(value >> 2 * (k - 1 - j)) & 3] for j in range(k))


def counts(seq, k):
    return np.unique(canonical(kmers(encode(seq), k), k), return_counts=True)


def jaccard(a, b):
    inter = np.intersect1d(a, b, assume_unique=True).size
    return inter / np.union1d(a, b).size


def bray_curtis(ka, ca, kb, cb):
    keys = np.union1d(ka, kb)
    x, y = np.zeros(len(keys)), np.zeros(len(keys))
    x[np.searchsorted(keys, ka)] = ca
    y[np.searchsorted(keys, kb)] = cb
    return np.abs(x - y).sum() / (x + y).sum()


def gc_skew(seq, window):
    c = encode(seq)
    g, cc = (c == 2).astype(float), (c == 1).astype(float)
    box = np.ones(window)
    G, C = np.convolve(g, box, "valid"), np.convolve(cc, box, "valid")
    return np.divide(G - C, G + C, out=np.zeros_like(G), where=(G + C) > 0)


def main():
    a = random_sequence(3000, 1)
    b = a[:1500] + random_sequence(1500, 2)
    b = b[:700] + "NNNN" + b[700:]
    k = 5
    (ka, ca), (kb, cb) = counts(a, k), counts(b, k)
    print(len(ka), ca.sum(), len(kb), cb.sum())
    top = np.lexsort((ka, -ca))[:5]
    for i in top:
        print(decode(int(ka[i]), k), ca[i])
    print(f"{jaccard(ka, kb):.6f} {bray_curtis(ka, ca, kb, cb):.6f}")
    skew = gc_skew(a, 100)
    print(f"{skew.min():.4f} {skew.max():.4f} {np.cumsum(skew).argmax()}")
    hist = np.bincount(ca, minlength=10)[:10]
    print(textwrap.fill(" ".join(f"{n}" for n in hist), 40))


main()
