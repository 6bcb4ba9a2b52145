"""Loops over the arrays of instances, and what stands in their way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.parallel.across.ports import assert_same, loaded, outcome, ported
from tests.parallel.across.random_fields import Writer

TEXT = """\
import numpy as np
from dataclasses import dataclass
from typing import NamedTuple


class State(NamedTuple):
    v: np.ndarray


@dataclass(frozen=True)
class Frozen:
    v: np.ndarray


class Net:
    def __init__(self, n: int, gain: float):
        self.v = np.zeros(n)
        self.w = np.ones(n)
        self.gain = gain

    def run(self, x: np.ndarray, dt: float):
        for t in range(len(x)):
            self.v += dt * (x[t] - self.v)
            fired = self.v > 0.05
            self.v[fired] = 0.0
            self.w[fired] *= 0.5


def settle(net, x: np.ndarray):
    for row in x:
        net.v += row * net.gain
        net.w -= 0.5 * net.v


def main(n: int = 9000, rows: int = 70):
    x = np.random.default_rng(1).normal(size=(rows, n))
    net = Net(n, 0.1)
    net.run(x, 0.1)
    settle(net, x)
    return net.v, net.w, x


if __name__ == "__main__":
    print(main())
"""

CHANGES = {
    "the instance is plain": ("", ""),
    "another name of the instance": (
        "        for t in range(len(x)):\n            self.v +=",
        "        me = self\n        for t in range(len(x)):\n            me.v +=",
    ),
    "one array under two names": ("self.w = np.ones(n)", "self.w = self.v"),
    "a part of what is read": (
        "    net = Net(n, 0.1)\n",
        "    net = Net(n, 0.1)\n    net.v = x[1]\n",
    ),
    "a property": (
        "    def run(",
        "    @property\n    def v(self):\n        return self._v\n\n"
        "    @v.setter\n    def v(self, value):\n        self._v = value * 1.0\n\n    def run(",
    ),
    "an array of the class": ("        self.v = np.zeros(n)\n", ""),
    "what runs at each store": (
        "    def run(",
        "    def __setattr__(self, name, value):\n        object.__setattr__(self, name, value + 0)"
        "\n\n    def run(",
    ),
    "a method that gives another array": (
        "            fired = ",
        "            self.renew()\n            fired = ",
    ),
    "another array in the loop": (
        "            fired = ",
        "            if t == 1:\n                self.v = self.v * 2\n            fired = ",
    ),
    "another instance in the loop": (
        "        net.v += row",
        "        net = Net(len(row), 0.2)\n        net.v += row",
    ),
    "a number": ("self.v = np.zeros(n)", "self.v = 0.5"),
    "numbers of integers": ("self.v = np.zeros(n)", "self.v = np.zeros(n, dtype=int)"),
    "a product": ("self.w[fired] *= 0.5", "self.w @= np.eye(len(self.w))"),
    "a named tuple": ("    settle(net, x)\n", "    settle(State(x[0]), x)\n"),
    "an instance that is frozen": ("    settle(net, x)\n", "    settle(Frozen(x[0]), x)\n"),
}
TURNED = {
    "the instance is plain": 2,
    "another name of the instance": 2,
    "one array under two names": 2,
    "a part of what is read": 2,
}


ANEW = """\
import numpy as np


def energy(net):
    return net.w * 2.0


class Net:
    def __init__(self, n: int):
        self.v = np.zeros(n)
        self.w = np.ones(n)

    @property
    def half(self):
        return self.w * 0.5

    def doubled(self):
        return self.w * 2.0

    def run(self, x: np.ndarray, dt: float):
        out = np.zeros_like(x)
        for t in range(len(x)):
            self.v = self.v + dt * (x[t] - self.v)
            self.w = self.w * 0.9 + self.v
            fired = self.v > 0.05
            self.v[fired] = 0.0
            out[t] = self.v
        return out


def main(n: int = 9000, rows: int = 70):
    x = np.random.default_rng(1).normal(size=(rows, n))
    net = Net(n)
    held = net.w
    out = net.run(x, 0.1)
    held[0] = 5.0
    return net.v, net.w, held, out, x


if __name__ == "__main__":
    print(main())
"""
CHANGES_ANEW = {
    "each iteration makes both anew": ("", ""),
    "one array under two names": ("self.w = np.ones(n)", "self.w = self.v"),
    "a part of what is read and written": (
        "    out = net.run(x, 0.1)\n",
        "    net.v = x[-1]\n    out = net.run(x, 0.1)\n",
    ),
    "what is written is an argument": ("out = np.zeros_like(x)", "out = x"),
    "a head that names rows": (
        "range(len(x)):\n            self.v = self.v + dt * (x[t]",
        "range(len(x)):\n            row = x[t] * 1.0\n            self.v = self.v + dt * (row",
    ),
    "something changes before": (
        "            self.v = self.v + dt",
        "            self.w += 1.0\n            self.v = self.v + dt",
    ),
    "a name of the array before": (
        "            self.w = self.w",
        "            old = self.w\n            self.w = self.w",
    ),
    "a function that reads it": ("out[t] = self.v", "out[t] = self.v + energy(self)"),
    "a property that reads it": ("out[t] = self.v", "out[t] = self.v + self.half"),
    "a method that reads it": ("out[t] = self.v", "out[t] = self.v + self.doubled()"),
    "another name of the instance": ("out[t] = self.v", "net = self\n            out[t] = net.w"),
    "an end before the end": (
        "            self.w = self.w",
        "            if t == 3:\n                break\n            self.w = self.w",
    ),
    "not in each iteration": (
        "            self.w = self.w * 0.9",
        "            if t > 3:\n                self.w = self.w * 0.9",
    ),
    "a return in it": (
        "            fired",
        "            if t > 4:\n                return x\n            fired",
    ),
    "a row of the host": ("self.v + dt * (x[t] - self.v)", "x[t]"),
}
TURNED_ANEW = (
    "each iteration makes both anew",
    "one array under two names",
    "a part of what is read and written",
    "a head that names rows",
    "what is written is an argument",
)


def assert_ported(cupy: Any, folder: Path, text: str, made: str) -> None:
    """See that a port gives what its program gave."""
    original, port = loaded(text, folder / "m.py"), loaded(made, folder / "port_of_fields.py")
    for sizes in ((5, 7), (5, 0), (1, 3)):
        expected = outcome(original["main"], list(sizes))
        found = outcome(port["main"], list(sizes))
        if isinstance(expected, str):
            assert isinstance(found, str), made
        else:
            assert_same(cupy, found, expected, f"{sizes}\n{made}")


@pytest.mark.parametrize("change", CHANGES)
def test_changes_in_place(emulated: Any, tmp_path: Path, change: str) -> None:
    text = TEXT.replace(*CHANGES[change])
    assert (text == TEXT) == (not CHANGES[change][0])
    if change == "an array of the class":
        text = text.replace("class Net:\n", "class Net:\n    v = np.zeros(1)\n\n")
    if change == "a method that gives another array":
        more = "    def renew(self):\n        self.v = self.v + 1\n\n    def run("
        text = text.replace("    def run(", more)
    made = ported(text) or text
    if change in TURNED:
        assert made.count("over=") == TURNED[change], made
    assert_ported(emulated, tmp_path, text, made)


@pytest.mark.parametrize("change", CHANGES_ANEW)
def test_arrays_made_anew(emulated: Any, tmp_path: Path, change: str) -> None:
    text = ANEW.replace(*CHANGES_ANEW[change])
    assert (text == ANEW) == (not CHANGES_ANEW[change][0])
    made = ported(text) or text
    assert (made.count("over=") == 1) == (change in TURNED_ANEW), made
    assert_ported(emulated, tmp_path, text, made)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", range(0, 120, 20))
def test_random_methods(emulated: Any, tmp_path: Path, first: int) -> None:
    turned = 0
    for seed in range(first, first + 20):
        text = Writer(seed).text()
        made = ported(text)
        if made is None or "over=" not in made:
            continue
        turned += 1
        original, port = loaded(text, tmp_path / "m.py"), loaded(made, tmp_path / f"p{seed}.py")
        for sizes in ((5, 7), (5, 0), (1, 3)):
            expected = outcome(original["main"], list(sizes))
            found = outcome(port["main"], list(sizes))
            assert_same(emulated, found, expected, f"{seed} {sizes}\n{text}", 1e-5)
    assert turned


NUMBER = """\
import json

import numpy as np


class Net:
    def __init__(self, v: np.ndarray):
        self.v = v

    def run(self, x: np.ndarray):
        for row in x:
            self.v += row


def main(n: int = 9000, rows: int = 70):
    net = Net(json.loads("0.5"))
    net.run(np.ones(n))
    other = Net(np.zeros(n))
    other.run(np.ones((rows, n)))
    return net.v, other.v


if __name__ == "__main__":
    print(main())
"""


def test_what_an_annotation_alone_calls_an_array(emulated: Any, tmp_path: Path) -> None:
    assert_ported(emulated, tmp_path, NUMBER, ported(NUMBER) or NUMBER)
