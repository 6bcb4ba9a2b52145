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
HEADS = ("for t in range(1, T):", "for t in range(T):", "for t in range(1, T - 1):")
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

    def statement(self, indent: str, depth: int = 0) -> list[str]:
        """One statement, or a condition with one in each of its ways."""
        if not depth and self.random.random() < 0.1:
            lines = [f"{indent}if t % {self.random.choice('234')} == 0:"]
            lines += self.statement(indent + "    ", 1)
            return [*lines, f"{indent}else:", *self.statement(indent + "    ", 1)]
        self.made += 1
        text = self.random.choice(_listed(STATEMENTS))
        new, mask = f"l{self.made}", f"m{self.made}"
        state = self.random.choice("vw")
        for sign, name in (("{new}", new), ("{mask}", mask), ("{state}", state)):
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
        if self.random.random() < 0.5:
            lines += ["    v = v.copy()", "    w = np.zeros_like(w)"]
        lines += ["    T = X.shape[0]", "    s = 1.0", f"    {self.random.choice(HEADS)}"]
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
    elif way == "length 1":
        given[2] = rng.normal(size=1)
    elif way == "single precision":
        given[0] = given[0].astype("f")
    return [*given, 0.1, 0.7]


WAYS = ("plain", "one array twice", "rows of what is read", "length 1", "single precision")
