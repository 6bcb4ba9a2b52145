"""Random loops that store blocks in a matrix, and add blocks to it, at places that may meet."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

PARAMETERS = "x, k, I, h, g"
WORDS = {"writes": "h, g"}

HEADS = (
    "for i in range(n):\n        for j in range(i + 1, n):",
    "for i in range(n):\n        for j in range(n):",
    "for i, j in I:",
    "for e in range(len(I)):\n        i, j = I[e]",
    "for i in range(n):\n        j = k[i]",
)
SLICES = (
    "slice(2 * i, 2 * i + 2)",
    "slice(2 * j, 2 * j + 2)",
    "slice(i + j, i + j + 2)",
    "slice(0, 2)",
)
STORES = (
    """h[a, b] = m | h[b, a] = m.T | h[a, b] = m | g[b, a] = m + 1 | g[a, :2] = m | h[a, b] = 2.5"""
)
ADDS = """h[a, a] += m | h[b, b] -= m | h[a, b] += m | h[b, a] -= m.T | g[a, a] += m |
g[b] += m[0, 1] | h[np.ix_(d, d)] += np.outer(w, w) | g[d, 0] += w | g[d, d] -= w |
h[:, b] += m[0] | g[i, a] -= w[:2] | h[a, d] += m[0, 0] | h[b, a] += 1.0 |
g[2 * i, 2 * j] += m[0, 0] | p = h[a]\n{s}p += m[0, 0]"""
READS = "w = w + h[a, b].sum() | m = m + h[b, a] | m = m * g[d, 0].sum() | m = m + h[a, a]"
TESTS = ("if m[0, 0] > 0:", "if i > 2:", "if w[0] > w[1]:")


class Writer:
    """Writes one function that is a loop."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, forms: str) -> str:
        """One of some forms."""
        return self.random.choice(
            [form.strip(" ") for form in forms.replace(" |\n", " | ").split(" | ")]
        )

    def statement(self, space: str) -> list[str]:
        """A store, an addition, rarely a read."""
        way = self.random.random()
        forms = STORES if way < 0.4 else ADDS if way < 0.93 else READS
        return [space + self.one(forms).replace("{s}", space)]

    def text(self) -> str:
        """The text of a function ``f``."""
        head = self.random.choice(HEADS)
        inner = " " * (12 if "        for" in head else 8)
        lines = [
            f"a, b = {self.random.choice(SLICES)}, {self.random.choice(SLICES)}",
            "m = np.outer(x[i], x[j]) - np.diag(x[i])",
            "w = np.concatenate([x[j], x[i]])",
            "d = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])",
        ]
        if self.random.random() < 0.4:
            lines += [f"{self.random.choice(TESTS)}\n{inner}    continue"]
        made = [f"{inner}{one}" for one in lines]
        for _ in range(self.random.randrange(1, 5)):
            if self.random.random() < 0.2:
                made += [inner + self.random.choice(TESTS), *self.statement(f"{inner}    ")]
            else:
                made += self.statement(inner)
        body = "\n".join(made)
        return f"import numpy as np\n\ndef f({PARAMETERS}):\n    n = len(x)\n    {head}\n{body}\n"


def arguments(seed: int) -> list[Any]:
    """What it is called with."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 3, 5, 6]))
    pairs = (
        rng.integers(0, n, size=(9, 2))
        if seed % 2
        else np.stack([np.arange(n), rng.permutation(n)], 1)
    )
    return [
        rng.normal(size=(n, 2)), rng.integers(0, n, n), pairs,
        rng.normal(size=(2 * n, 2 * n)), rng.normal(size=(2 * n, 2 * n)),
    ]  # fmt: skip
