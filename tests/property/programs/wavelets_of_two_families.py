"""Haar and Daubechies wavelets, thresholding, packet energies."""
import math
from enum import Enum
from typing import NamedTuple

import numpy as np


class Family(Enum):
    HAAR = (1 / math.sqrt(2), 1 / math.sqrt(2))
    DB2 = tuple(c / (4 * math.sqrt(2)) for c in (1 + math.sqrt(3), 3 + math.sqrt(3), 3 - math.sqrt(3), 1 - math.sqrt(3)))

    @property
    def low(self):
        return np.array(self.value)

    @property
    def high(self):
        h = self.low[::-1].copy()
        h[1::2] *= -1
        return h


class Level(NamedTuple):
    approx: np.ndarray
    detail: np.ndarray


def analyse(x, family):
    n = len(x)
    k = np.arange(len(family.low))
    idx = (2 * np.arange(n // 2)[:, None] + k) % n
    w = x[idx]
    return Level(w @ family.low, w @ family.high)


def synthesise(level, family):
    n = 2 * len(level.approx)
    out = np.zeros(n)
    idx = (2 * np.arange(n // 2)[:, None] + np.arange(len(family.low))) % n
    np.add.at(out, idx, level.approx[:, None] * family.low + level.detail[:, None] * family.high)
    return out


def decompose(x, family, levels):
    details = []
    for _ in range(levels):
        x, d = analyse(x, family)
        details.append(d)
    return x, details


def recompose(x, details, family):
    for d in reversed(details):
        x = synthesise(Level(x, d), family)
    return x


def soft(d, t):
    return np.sign(d) * np.maximum(np.abs(d) - t, 0)


def denoise(x, family, levels):
    a, details = decompose(x, family, levels)
    sigma = np.median(np.abs(details[0])) / 0.6745
    t = sigma * math.sqrt(2 * math.log(len(x)))
    return recompose(a, [soft(d, t) for d in details], family), sigma


def energies(x, family, depth):
    leaves = {"": x}
    for _ in range(depth):
        nxt = {}
        for name, v in leaves.items():
            lev = analyse(v, family)
            nxt[name + "a"], nxt[name + "d"] = lev
        leaves = nxt
    total = sum(float((v**2).sum()) for v in leaves.values())
    return {k: round(float((v**2).sum()) / total, 6) for k, v in leaves.items()}


def main():
    rng = np.random.default_rng(4)
    t = np.linspace(0, 1, 256, endpoint=False)
    clean = np.sin(6 * np.pi * t) + (t > 0.5)
    noisy = clean + 0.2 * rng.standard_normal(t.size)
    for family in Family:
        a, details = decompose(noisy, family, 4)
        back = recompose(a, details, family)
        out, sigma = denoise(noisy, family, 4)
        print(family.name, np.allclose(back, noisy), f"{sigma:.5f}", f"{np.mean((noisy - clean) ** 2):.5f} {np.mean((out - clean) ** 2):.5f}")
        print(energies(noisy, family, 2))


main()
