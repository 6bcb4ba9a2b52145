"""Random methods with loops over the arrays of an instance, which others may hold as well."""

from __future__ import annotations

from tests.parallel.across import random_vectors

MADE = (
    "self.v, self.w = np.zeros(n), np.ones(n)",
    "self.v = np.zeros(n)\n        self.w = np.ones(n)",
    "self.v = v\n        self.w = w",
    "self.v = v\n        self.w = v",
    "self.v = v[::1]\n        self.w = x[1]",
    "self.v = v.astype(np.float32)\n        self.w = w.copy()",
    "self.v = np.zeros(n)\n        self.w = self.v",
)
OWNERS = ("self", "self", "self", "net", "self.inner")
TEXT = """\
import numpy as np


class Inner:
    def __init__(self, v, w, x, n: int):
        {made}


class Net:
    def __init__(self, v, w, x, n: int):
        {made}
        self.inner = Inner(v, w, x, n)
        self.g = 0.7

    def f(self, net, a, b, X, Y, out, other, dt: float, g: float):
{lines}
        return {owner}.v


def main(n: int = 9000, rows: int = 70):
    rng = np.random.default_rng(1)
    v, w = rng.normal(size=n), rng.normal(size=n)
    a, b = rng.normal(size=n), rng.normal(size=n)
    X, Y = rng.normal(size=(rows, n)), rng.normal(size=(n, rows))
    out, other = np.zeros((rows, n)), np.zeros((n, rows))
    net = Net(v, w, X, n)
    held = {owner_outside}.v
    found = net.f(net, a, b, X, Y, {given}, other, 0.1, 0.7)
    first, second = {owner_outside}.v, {owner_outside}.w
    return found, held, first, second, v, w, X, out, other


if __name__ == "__main__":
    print(main())
"""


class Writer(random_vectors.Writer):
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.owner = self.random.choice(OWNERS)
        self.states = (f"{self.owner}.v", f"{self.owner}.w")
        self.vectors = [*self.states * 2, *self.vectors[2:]]

    def text(self) -> str:
        """A module with the function `main`."""
        lines = ["    T = X.shape[0]", "    s, t = 1.0, 1", self.head()]
        for state in self.random.sample(self.states, self.random.choice((0, 1, 2))):
            lines.append(f"        {state} = {self.filled('{V}', 2)}")  # what it makes anew
        for _ in range(self.random.randrange(1, 4)):
            lines += self.statement("        ")
        outside = "net" if self.owner in ("self", "net") else "net.inner"
        return TEXT.format(
            made=self.random.choice(MADE),
            lines="\n".join(f"    {line}" for line in lines),
            owner=self.owner,
            owner_outside=outside,
            given=self.random.choice(("out", "out", "out", "X")),
        )
