"""Random loops over operations on vectors: new names, changes in place, masks, numbers, rows."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

VECTORS = """v | w | a | b | X[t] | Y[:, t] | X[t - 1] | out[t - 1] | other[:, t - 1] | X[t, :] |
X[T - 1 - t]"""
NUMBERS = "0.5 | t | dt | t * dt | g | 2 | np.sin(t * dt) | s"
COMPUTED = """({V} + {V}) | ({V} - {N}) | ({V} * {V}) | ({V} * {N}) | np.where({B}, {V}, {V}) |
np.where({B}, {V}, {N}) | np.tanh({V}) | np.square({V}) | np.maximum({V}, {N}) |
np.minimum({V}, {V}) | np.clip({V}, -1.0, 1.0) | -{v} | {v}"""
MASKS = "{v} > 0.3 | {v} != {v} | ({v} > 0.1) & ({v} < 0.8) | ~({v} > 0.2) | {v} <= {v}"
STATEMENTS = """
{new} = {V} | {new} = {V} | {mask} = {B} | {state} = {V} | {state} += {V} | {state} *= {N} |
out[t] = {V} | other[:, t] = {V} | other[:, t] = {N} | {state}[{B}] = -0.25 |
{state}[{B}] += {N} | s = s * 0.5 + t | s = np.cos(t * dt) | out[t] += {V} | {state}[:] = {V}
"""
HEADS = (
    "for t in range(1, T):", "for t in range(T):", "for t in range(1, T - 1):",
    "for t, row in enumerate(X):", "for t, row in enumerate(X[1:], start=1):",
    "for t, (row, more) in enumerate(zip(X, out)):", "for t, row in enumerate(reversed(X)):",
    "for row, more in zip(X, other):", "for row in X[1:-1]:", "for row, s in zip(X[::2], a):",
    "for t, (c, row) in enumerate(zip(b, out), 1):", "for t, row in enumerate(out[1:], start=1):",
    "for row, more in zip(X[1:], X[:-1], strict=True):",
)  # fmt: skip
OF_ROWS = "{row} = {V} | {row} += {V} | {row}[:] = {V} | out[t] = {row} | {state} = {row} + {V}"
STATES: tuple[list[str], ...] = (
    [], ["    v = v.copy()", "    w = np.zeros_like(w)"],
    ["    v, w = np.ones(X.shape[1]), np.zeros(len(Y))"],
    ["    v = np.ones(X.shape[1])", "    w = np.zeros(len(Y))"],
)  # fmt: skip
CALLED = """

def main():
    rng = np.random.default_rng(1)
    v, w = rng.normal(size=9000), rng.normal(size=9000)
    a, b = rng.normal(size=9000), rng.normal(size=9000)
    X, Y = rng.normal(size=(70, 9000)), rng.normal(size=(9000, 70))
    return f(v, w, a, b, X, Y, np.zeros((70, 9000)), np.zeros((9000, 70)), 0.1, 0.7)
"""
"""What tells how many axes the arguments have, and that they are not small."""


def _listed(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", " ").split(" | ")]


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.vectors, self.masks, self.made = _listed(VECTORS), _listed(MASKS), 0
        self.rows: list[str] = []
        self.states = ("v", "w")

    def filled(self, text: str, depth: int) -> str:
        """A text with expressions in the place of what stands for them."""
        kinds = {
            "{V}": COMPUTED if depth else "{v}",
            "{B}": " | ".join(self.masks),
            "{N}": NUMBERS,
            "{v}": " | ".join(self.vectors),
        }
        for sign, ways in kinds.items():
            while sign in text:
                inner = self.random.choice(_listed(ways))
                text = text.replace(sign, self.filled(inner, depth - 1), 1)
        return text

    def head(self) -> str:
        """A head; what it names is among the vectors from there on."""
        text = self.random.choice(HEADS)
        self.rows = [name for name in ("row", "more") if name in text]
        self.vectors += self.rows * 4
        return f"    {text}"

    def statement(self, indent: str, depth: int = 0) -> list[str]:
        """One statement, or a condition with one in each of its ways."""
        if not depth and self.random.random() < 0.1:
            lines = [f"{indent}if t % {self.random.choice('234')} == 0:"]
            lines += self.statement(indent + "    ", 1)
            return [*lines, f"{indent}else:", *self.statement(indent + "    ", 1)]
        self.made += 1
        of_rows = self.rows and self.random.random() < 0.15
        text = self.random.choice(_listed(OF_ROWS if of_rows else STATEMENTS))
        new, mask = f"l{self.made}", f"m{self.made}"
        state, row = self.random.choice(self.states), self.random.choice(self.rows or ["v"])
        for sign, name in (("{new}", new), ("{mask}", mask), ("{state}", state), ("{row}", row)):
            text = text.replace(sign, name)
        text = self.filled(text, 2)
        if not depth and text.startswith(f"{new} ="):
            self.vectors += [new, new]
        if not depth and text.startswith(f"{mask} ="):
            self.masks.append(mask)
        return [f"{indent}{text}"]

    def text(self) -> str:
        """A module with the function `f`."""
        names = ("v", "w", "a", "b", "X", "Y", "out", "other")
        given = ", ".join(f"{name}: np.ndarray" for name in names)
        lines = [f"def f({given}, dt: float, g: float):"]
        lines += self.random.choice(STATES)
        lines += ["    T = X.shape[0]", "    s, t = 1.0, 1", self.head()]
        for _ in range(self.random.randrange(2, 6)):
            lines += self.statement("        ")
        lines.append(f"    return {self.random.choice(['out, other', 'out, v', 'v, w'])}")
        return "import numpy as np\n\n\n" + "\n".join(lines) + "\n" + CALLED


def arguments(way: str) -> list[Any]:
    """Arguments: as they should be, or the one for another, of length 1, of single precision."""
    rng = np.random.default_rng(5)
    given: list[Any] = [rng.normal(size=5) for _ in range(4)]
    given += [rng.normal(size=(7, 5)), rng.normal(size=(5, 7)), np.zeros((7, 5)), np.zeros((5, 7))]
    if way == "one array twice":
        given[1] = given[0]
    elif way == "rows of what is read":
        given[6] = given[4]
    elif way == "one memory":
        memory = rng.normal(size=(9, 5))
        given[4], given[6], given[0] = memory[:7], memory[1:8], memory[8]
    elif way == "no rows":
        given[4] = given[4][:0]
    elif way == "length 1":
        given[2] = rng.normal(size=1)
    elif way == "single precision":
        given[0] = given[0].astype("f")
    elif way == "rows of single precision":
        given[4] = given[4].astype("f")
    return [*given, 0.1, 0.7]


WAYS = (
    "plain", "one array twice", "rows of what is read", "one memory", "no rows", "length 1",
    "single precision", "rows of single precision",
)  # fmt: skip
