"""Random loops over items, with views, changes in place, conditions, and what they leave."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

PARAMETERS = "A, B, V, U, S, K, J, X, c, O, P, Q, R, T, out, d, tot"
WORDS = {"writes": "A, B, V, U, X, O, P, Q, R, T, out, d", "sums": "tot"}

HEADS = (
    "for i in range(len(V)):\n        k = int(K[i])",
    "for i, k in enumerate(K):\n        k = int(k)",
    "for i in range(1, len(V) - 1):\n        k = K[i]",
    "for i, k in zip(range(len(V)), K):\n        q = 2.0",
    "for k in range(len(V)):\n        i = (k + 3) % len(V)",
)

EXPRESSIONS = {
    "M": """{M} + {M} | {m} @ {M} | {m}.T | np.outer({V}, {V}) | {v}[:, None] * {v} | {S} * {m} |
    np.where({m} > {s}, {m}, {m}) | np.diag({v}) | ({M})[::-1] | ({M})[J] | ({M})[np.ix_(J, J)] |
    np.linalg.inv({m} @ {m}.T * 0.1 + 4 * np.eye(3)) | np.array([{v}, {v}, {v}])""",
    "V": """{m} @ {V} | {V} - {v} | {m}[0] | {m}[-1] | {m}[k % 3] | {m}[:, 0] | {m}[:, i % 3] |
    {m}.sum(axis=0) | {m}.sum(axis=1) | np.sort({v}) | {v}[np.argsort({v})] | {v} * {S} |
    X[i:i + 3] | np.concatenate([{v}[1:], {v}[:1]]) | X[k + 1:k + 4] | X[J + i] | np.cumsum({v}) |
    np.diag({m}) | np.array([{s}, {s}, 1.0]) | {v}[::-1] | {m}[{v} > {s}].sum(axis=0) |
    V[np.arange(len(V)) != i].sum(axis=0)""",
    "S": """{v} @ {v} | {m}[0, 1] | {m}[k % 3, 2] | {m}[i % 3, k % 3] | float({v}[1]) |
    max({s}, {s}) | np.tanh({s}) | abs({S}) | X[i] | X[k] | {v}.max() | {s} * {s} |
    np.linalg.norm({v}) | np.trace({m}) | i * 0.5 | {v}[np.argmax({v})] |
    {v}[{v} > {s}].sum() | X[X < {s}].sum() | {m}[{m} > {s}].sum() | {m}[{v} > 0].sum()""",
}
CHANGES = {
    "M": """{n}[0] = {V} | {n} += {M} | {n}[1, 2] = {S} | {n}[:, 1] *= {S} | {n}[{n} > 1] = 0.5 |
    {n} = {n} + 1 | {n}[J, J] = {V} | {n}[k % 3] = {v}""",
    "V": "{n}[0] = {S} | {n} *= {S} | {n}[1:] -= 1 | {n}[np.argmax({n})] = 0.0",
}
LEFT = """
O[i] = {M} | O[i] = {M} | O[k] = {M} | P[i] = {V} | P[i] += {V} | P[k] += {V} | P[i] *= {V} |
P[k] -= {V} | Q[i] += {S} | Q[k % 3, i % 3] += {S} | R[k] += {S} | R[i] = {S} | R[k] = {S} |
out.append({M}) | out.append({V}) | out.append({S}) | d[i] = {V} | d[k] = {S} | d[(i, k)] = {S} |
tot += {S} | tot += {S} | T += {M}
"""
NAMES = {
    "M": ["A[i]", "B", "A[k]"],
    "V": ["V[i]", "U", "V[k]", "A[i, 1]", "A[i][:, 0]"],
    "S": ["S[i]", "c", "float(S[i])", "V[i, 0]"],
}


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", " ").split(" | ")]


class Writer:
    """Writes one function that is a loop."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {kind: list(names) for kind, names in NAMES.items()}
        self.own: dict[str, list[str]] = {"M": [], "V": []}
        self.made = 0

    def filled(self, text: str, depth: int, name: str = "") -> str:
        """A form with expressions in its places."""
        text = text.replace("{n}", name)
        for kind in "MVS":
            while f"{{{kind}}}" in text:
                text = text.replace(f"{{{kind}}}", self.expression(kind, depth), 1)
            while f"{{{kind.lower()}}}" in text:
                text = text.replace(f"{{{kind.lower()}}}", self.random.choice(self.names[kind]), 1)
        return text

    def expression(self, kind: str, depth: int) -> str:
        """Of a matrix, a vector or a number."""
        if depth <= 0:
            return self.random.choice(self.names[kind])
        return f"({self.filled(self.random.choice(_listed(EXPRESSIONS[kind])), depth - 1)})"

    def statement(self, indent: str, depth: int = 0) -> list[str]:
        """One statement, or a block."""
        way = self.random.randrange(10)
        own = [kind for kind in self.own if self.own[kind]]
        if way < 3:
            kind = self.random.choice("MVS")
            self.made += 1
            line = f"{indent}t{self.made} = {self.expression(kind, 2)}"
            self.names[kind] += [f"t{self.made}"] * 2
            self.own.get(kind, []).append(f"t{self.made}")
            return [line]
        if way == 3 and own:
            kind = self.random.choice(own)
            form = self.random.choice(_listed(CHANGES[kind]))
            return [indent + self.filled(form, 1, self.random.choice(self.own[kind]))]
        if way in (4, 5) and not depth:
            return self.block(indent, "if" if way == 4 else "for")
        return [indent + self.filled(self.random.choice(_listed(LEFT)), 2)]

    def block(self, indent: str, word: str) -> list[str]:
        """What some items do, or several times."""
        head = f"if {self.expression('S', 1)} > {self.random.choice(['0', '0.3', '1.0'])}:"
        if word == "for":
            head = f"for j in range({self.random.choice(['2', '3', 'k % 3', '1 + i % 2'])}):"
        names = {kind: list(known) for kind, known in self.names.items()}
        own = {kind: list(known) for kind, known in self.own.items()}
        lines = [one for _ in range(2) for one in self.statement(f"{indent}    ", 1)]
        self.names, self.own = names, own
        ends = word == "if" and self.random.random() < 0.2
        return [indent + head, *lines, *([f"{indent}    continue"] if ends else [])]

    def text(self) -> str:
        """The text of a function ``f``."""
        head = self.random.choice(HEADS)
        lines = [
            one for _ in range(self.random.randrange(2, 6)) for one in self.statement("        ")
        ]
        body = "\n".join(lines)
        return f"import numpy as np\n\ndef f({PARAMETERS}):\n    {head}\n{body}\n    return tot\n"


def arguments(seed: int) -> list[Any]:
    """What it is called with."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([1, 4, 7]))
    places = rng.integers(0, n, size=n)
    return [
        rng.normal(size=(n, 3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(n, 3)),
        rng.normal(size=3), rng.uniform(0.5, 2, size=n),
        places if seed % 3 else [int(one) for one in places], np.array([2, 0, 1]),
        rng.normal(size=12), 0.7, rng.normal(size=(n, 3, 3)), rng.normal(size=(n, 3)),
        rng.normal(size=(n, 3)), rng.normal(size=n), rng.normal(size=(3, 3)), [], {}, 0.5,
    ]  # fmt: skip
