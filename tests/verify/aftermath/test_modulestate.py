"""What a call leaves outside of its result: module state, random state, warnings, odd results."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

import pytest

from gpuport.verify.aftermath.modulestate import ModuleState, changed_places
from gpuport.verify.records import Verdict

# the original, and what a faulty port has in the place of which part of it
FAULTS = {
    "an instance of the module": (
        """
class Kept:
    def __init__(self):
        self.total = 1.0

    def grow(self, by):
        self.total = self.total + by

held = Kept()

def f(x: np.ndarray):
    held.grow(float(x.size))
    return x + 1.0
""",
        ("float(x.size)", "float(x.ndim)"),
    ),
    "a list": (
        "seen = []\ndef f(x: np.ndarray):\n    seen.append(x.sum())\n    return x + 1.0",
        ("seen.append(x.sum())", "seen.append(x.sum() * 2.0)"),
    ),
    "a dictionary": (
        "last = {}\ndef f(x: np.ndarray):\n    last['x'] = x * 2.0\n    return x + 1.0",
        ("x * 2.0", "x * 3.0"),
    ),
    "a number": (
        "n = 0\ndef f(x: np.ndarray):\n    global n\n    n = x.size\n    return x + 1.0",
        ("x.size", "x.ndim"),
    ),
    "an array": (
        "table = np.zeros(4)\ndef f(x: np.ndarray):\n    table[1:3] += x.size\n    return x + 1.0",
        ("table[1:3]", "table[1:2]"),
    ),
    "an attribute of a class": (
        "class M:\n    n = 0\ndef f(x: np.ndarray):\n    M.n = x.size\n    return x + 1.0",
        ("x.size", "x.ndim"),
    ),
    "an attribute of the function": (
        "def f(x: np.ndarray):\n    f.last = x.size\n    return x + 1.0",
        ("x.size", "x.ndim"),
    ),
    "NumPy's generator": (
        "def f(x: np.ndarray):\n    np.random.rand(3)\n    return x + 1.0",
        ("rand(3)", "rand(2)"),
    ),
    "Python's generator": (
        "import random\ndef f(x: np.ndarray):\n    random.random()\n    return x + 1.0",
        ("    random.random()\n", ""),
    ),
    "a warning": (
        "import warnings\ndef f(x: np.ndarray):\n    warnings.warn('odd')\n    return x + 1.0",
        ("    warnings.warn('odd')\n", ""),
    ),
    "a mask": (
        "def f(x: np.ndarray):\n    x = x.real\n    return np.ma.masked_where(x > 0, x)",
        ("x > 0", "x > 0.5"),
    ),
    "an iterator": (
        "def f(x: np.ndarray):\n    return iter([x, x * 2.0])",
        ("x * 2.0", "x * 3.0"),
    ),
    "a list for an iterator": (
        "def f(x: np.ndarray):\n    return zip([x], [x * 2.0])",
        ("zip([x], [x * 2.0])", "[(x, x * 2.0)]"),
    ),
    "slots": (
        "class P:\n    __slots__ = ('a',)\n    def __init__(self, a):\n        self.a = a\n"
        "def f(x: np.ndarray):\n    return P(x * 2.0), x",
        ("x * 2.0", "x * 3.0"),
    ),
    "another function": (
        "def g(y):\n    return y\ndef h(y):\n    return y\n"
        "def f(x: np.ndarray):\n    return g, x + 1.0",
        ("return g,", "return h,"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_left_behind_is_compared(name: str, verify: Any) -> None:
    text, (old, new) = FAULTS[name]
    assert old in text
    assert verify(text, text.replace(old, new))["f"].verdict is Verdict.DIFFERS


@pytest.mark.parametrize("name", ["a list", "a dictionary", "an array", "a mask", "slots"])
def test_the_same_is_left_behind(name: str, verify: Any) -> None:
    text, _ = FAULTS[name]
    port = text.replace("x + 1.0", "1.0 + x").replace("x * 2.0", "2.0 * x")
    port = port.replace("    x = x.real\n", "    x = x.real[...]\n")
    verdict = verify(text, port)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_an_instance_of_the_module_starts_afresh_with_each_call(verify: Any) -> None:
    text = """
    class Kept:
        def __init__(self):
            self.root = 1.0

        def step(self):
            self.root = math.sqrt(self.root + 1.0)

    held = Kept()

    def f(x: np.ndarray):
        held.step()
        return x * held.root
    """
    verdict = verify(text, text.replace("x * held", "held").replace("root\n    ", "root * x\n    "))
    assert verdict["f"].verdict is Verdict.EQUIVALENT, verdict


def test_a_memory_of_results_starts_afresh_with_each_call(verify: Any) -> None:
    text = """
    known = {}

    def f(n: int):
        if n not in known:
            known[n] = np.arange(abs(n)) * 2.0
        return known[n]
    """
    port = text.replace("np.arange(abs(n)) * 2.0", "2.0 * np.arange(abs(n))")
    assert verify(text, port)["f"].verdict is not Verdict.DIFFERS


def test_which_places_may_change() -> None:
    text = """
a, b, c, d, e = [], {}, 0, [], []

class K:
    n = 0

    @classmethod
    def make(cls):
        cls.n += 1

def f(d):
    global c
    a.append(1)
    b["x"] = 1
    c = 2
    d.append(3)
    f.k = 1
    local = e[0]
    local = local + 1
"""
    places = changed_places(ast.parse(text))
    assert set(places) == {("a", ""), ("b", ""), ("c", ""), ("K", "n"), ("f", "k")}


def test_functions_of_another_module_are_no_state(verify: Any) -> None:
    """A sibling that sorts does not change `np`: its fault is not that of all who use `np`."""
    wrong = "def f(x: np.ndarray):\n    return np.sort(x)"
    text = "\n\ndef g(x: np.ndarray):\n    return {}\n"
    port = wrong.replace("np.sort(x)", "np.sort(x)[::-1] // 1") + text.format("np.cos(x) + 0.0")
    found = verify(wrong + text.format("np.cos(x)"), port)
    assert found["f"].verdict.failing
    assert found["g"].verdict is Verdict.EQUIVALENT, found["g"].reason


def test_state_is_restored_in_place() -> None:
    module = ModuleType("m")
    text = "import numpy as np\na, b, t = [1], {'x': 1}, np.zeros(2)\n"
    text += "def f():\n    global n\n    a.append(2); b.clear(); t[:] = 1; n = 1\n"
    exec(text, vars(module))
    state = ModuleState.of(module, changed_places(ast.parse(text)))
    held = module.a, module.b, module.t
    module.f()
    state.restore(module)
    assert (module.a, module.b, module.t.tolist()) == ([1], {"x": 1}, [0.0, 0.0])
    assert all(x is y for x, y in zip(held, (module.a, module.b, module.t), strict=True))
    assert not hasattr(module, "n")
