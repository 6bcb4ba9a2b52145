"""Which lists and dicts of a module are changed after they were made."""

from __future__ import annotations

import ast

import pytest
from tests.passes.conftest import port

from gpuport.source.changedlists import changed_lists
from gpuport.source.syntax import by_kind


@pytest.mark.parametrize(
    ("text", "names", "displays"),
    [
        ("a = [1]", set(), set()),
        ("a = [1]\nb = a\nb.append(2)\nc = [3]", {"a", "b"}, {"[1]"}),
        ("a = {'k': [1]}\nfor v in a.values():\n    v[0] = 2", {"v", "values"}, set()),
        ("a = [[1], [2]]\nfor v in a:\n    v[0] = 2", {"a", "v"}, {"[[1], [2]]", "[1]", "[2]"}),
        ("def f(a=[1]):\n    a.append(0)\nf([2])\nf(a=[3])", {"a"}, {"[1]", "[2]", "[3]"}),
        ("def f(a, b):\n    b.append(0)\nf([1], [2])", {"b"}, {"[2]"}),
        ("@g\ndef f(a, b):\n    b.append(0)\nf([1], [2])", {"a", "b"}, {"[1]", "[2]"}),
        (
            "def f(a, b, c):\n    c.append(0)\nx = [[1]]\nf(*x)",
            {"a", "b", "c", "x"}, {"[[1]]", "[1]"},
        ),
        (
            "class A:\n    def f(self, a, b):\n        b.append(0)\nA().f([1], [2])",
            {"a", "b"}, {"[1]", "[2]"},
        ),
        ("class A(base=[1]):\n    base = 2\nbase.sort()", {"base"}, set()),
        (
            "def f():\n    return [1]\ndef g():\n    return [2]\nx = f()\nx.sort()",
            {"x", "f"}, {"[1]"},
        ),
        (
            "def outer():\n    def inner():\n        yield [1]\n    return inner\n"
            "def other():\n    return [2]\nx = outer()\ndel x[0]",
            {"x", "outer", "inner"}, {"[1]"},
        ),
        ("a = {'n': 1, 's': (2, -3)}\nx = f()\nx[0] = a['n']\nx[1] = a['s']", {"x", "f"}, set()),
        ("a = {'n': [1]}\nx = f()\nx[0] = a['n']", {"x", "f", "a"}, {"{'n': [1]}", "[1]"}),
        (
            "a = {'n': 1}\na['n'] = [2]\nx = f()\nx[0] = a['n']",
            {"x", "f", "a"}, {"{'n': 1}", "[2]"},
        ),
        ("a = {'n': (1, -2)}\nx, y = a[k]\nx += 1", {"x"}, set()),
        ("a = {'n': (1, [2])}\nx, y = a[k]\nx += 1", {"x", "y", "a"}, {"{'n': (1, [2])}", "[2]"}),
        ("a = [(1, 2), (3, 4)]\nfor x, y in a:\n    x += 1", {"x"}, set()),
        ("a = [(1, 2)]\nb = a\nfor x in a:\n    x += 1\nb.sort()", {"x", "a", "b"}, {"[(1, 2)]"}),
        ("a = [1]\na[0] = [2]\nx = a[0]\nx += 1", {"x", "a"}, {"[1]", "[2]"}),
        ("for x in zip(a):\n    x[0] = 1\nfor y in zip(b):\n    y", {"x", "a"}, set()),
        ("for x, y in zip(a, b):\n    y[0] = 1", {"y", "b"}, set()),
        ("for k, (x, y) in enumerate(zip(a, b)):\n    y[0] = 1", {"y", "b"}, set()),
        ("zip = f\nfor x, y in zip(a, b):\n    y[0] = 1", {"x", "y", "zip", "f", "a", "b"}, set()),
        ("a = [(1, 2)]\nfor k, (x, y) in enumerate(a):\n    x += 1", {"x"}, set()),
        ("a = [(1, 2)]\nb = {}\nfor x, y in zip(a, b.items()):\n    x += 1", {"x"}, set()),
        ("for _, x in a:\n    x[0] = 1\nfor _, y in b:\n    y", {"_", "x", "a"}, set()),
        ("for _, x in a:\n    x[0] = _\nfor _, y in b:\n    y", {"_", "x", "y", "a", "b"}, set()),
        ("import m\na = m.f()\nb = m.f()\nb[0] = 1", {"b"}, set()),
        ("import m\na = m.f()\nb = g.f()\nb[0] = 1", {"a", "b", "f"}, set()),
        ("m = 1\nimport m\na = m.f()\nb = m.f()\nb[0] = 1", {"a", "b", "f"}, set()),
        (
            "def zip(a):\n    return [a]\nfor x in zip(a):\n    x[0] = 1\nfor y in zip(b):\n    y",
            {"x", "a", "y", "b", "zip"}, {"[a]"},
        ),
    ],
)  # fmt: skip
def test_what_is_changed(text: str, names: set[str], displays: set[str]):
    tree = ast.parse(text)
    found = changed_lists(by_kind(ast.walk(tree)))
    assert found.names == names
    nodes = (node for node in ast.walk(tree) if id(node) in found.displays)
    assert {ast.unparse(node) for node in nodes} == displays


KEPT = """
import numpy as np

RATES = {rates}


def fill(kept):
    for k in range(3):
        kept[k] = RATES[k]
    kept[0]{change}


def f(x):
    for k in range(3):
        x = np.exp(-x) * RATES[k] + np.sin(x)
    return x


fill([None, None, None])
print(f(np.linspace(0.0, 1.0, 5000)).sum())
"""


@pytest.mark.parametrize(
    ("rates", "change", "known"),
    [
        ("(1 / 3, 0.25, 2)", " += 1.0", True),
        ("[1 / 3, 0.25, 2]", " += 1.0", True),
        ("(1 / 3, 0.25, [2.0])", ".append(1.0)", False),
    ],
)
def test_numbers_of_a_list_that_others_keep_are_known(rates: str, change: str, known: bool):
    after = port(KEPT.format(rates=rates, change=change)).after or ""
    assert ("cp.linspace(" in after) is known
