import sys

import numpy as np


def blur(img: np.ndarray, k: np.ndarray, mode="edge"):
    h, w = k.shape
    p = np.pad(img, ((h // 2, h // 2), (w // 2, w // 2)), mode=mode)
    rows, columns = img.shape
    return sum(k[y, x] * p[y : y + rows, x : x + columns] for y in range(h) for x in range(w))


def contracted(subscripts, m: np.ndarray):
    return np.einsum(subscripts, np.exp(m)) * 2.0


def smoothed(x: np.ndarray, width, mode):
    return np.convolve(np.sin(x), np.ones(width) / width, mode) + 1.0


m = np.linspace(0.0, 1.0, 30).reshape(5, 6)
kernel = np.ones((3, 3)) / 9.0
out = {mode: blur(m, kernel, mode) for mode in ("edge", "reflect", "wrap")}
for n, subscripts in enumerate(("ij->", "ij->j", "ij->ji")):
    out[f"e{n}"] = contracted(subscripts, m)
    print(type(out[f"e{n}"]).__name__)
for mode in ("same", "full", "valid"):
    out[f"c{mode}"] = smoothed(m[0], 3, mode)
np.savez(sys.argv[1], **out)
