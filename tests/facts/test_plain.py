"""What a program shows to be numbers and texts, and no arrays."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.facts.plain import Plain
from gpuport.facts.sizes import SizesShown
from gpuport.source.bindings import bound_once
from gpuport.source.reading import parse


def plain(text: str, expression: str, function: str = "f") -> Plain | None:
    module = parse("m.py", "import itertools\nimport numpy as np\n" + textwrap.dedent(text))
    around = next(n for n in ast.walk(module.tree) if getattr(n, "name", "") == function)
    node = next(
        n for n in ast.walk(around) if isinstance(n, ast.expr) and ast.unparse(n) == expression
    )
    return SizesShown([module]).plain(module, around, node)


TABLE = """
    def read(text):
        head, *lines = text.split("\\n")
        keys = head.split()
        return {one.split()[0]: dict(zip(keys, map(float, one.split()[1:]))) for one in lines}
    def f(row):
        return row["a"] * 2
    for row in read(open("t").read() + "x").values():
        f(row)
"""
FIELDS = """
    from dataclasses import dataclass
    @dataclass
    class P:
        left: tuple
        end: float
    ALL = [P((1.0, 2), 0.5), P((2.0, 3), 0.25)]
    def f(p):
        return np.array(p.left) * p.end
    for p in ALL:
        f(p)
"""


@pytest.mark.parametrize(
    ("text", "expression", "expected"),
    [
        (TABLE.replace("open(\"t\").read() + \"x\"", "f\"a {3}\""), "row['a']", "float"),
        (FIELDS, "p.left", ("float", "int")),
        (FIELDS, "p.end", "float"),
        ("def f(x):\n    return x + 1\nf(2.5)\nf(3)", "x", "number"),
        ("def f(x):\n    return x + 1\nf(2.5)\nf(np.ones(3))", "x", None),
        ("def f(x):\n    return x + 1\nf(2.5)\nf(input)", "x", None),
        ("def f(x=None):\n    return x or 1\nf(2.5)\nf()", "x", None),
        ("def f(x):\n    return x + 1\nf(np.float32(2))", "x", "numpy.float32"),
        ("def f(x):\n    return x + 1\nf(np.ones(3)[1])\nf(1.0)", "x", "numpy."),
        ("def f(x):\n    x = x + 1\n    return x * 2\nf(2.5)", "x", None),
        ("def f(x):\n    for low, high in itertools.pairwise(x):\n        print(low, high)\n"
         "f([1.0, 2.5])", "high", "float"),
        ("def f(x):\n    for a, b in itertools.combinations(x, 2):\n        print(a, b)\nf('abc')",
         "b", "str"),
        ("def f(x):\n    for a in itertools.islice(x, 2):\n        print(a)\nf([1, 2])",
         "a", "int"),
        ("def f(x):\n    for a in itertools.takewhile(bool, x):\n        print(a)\nf([1, 2])",
         "a", "int"),
        ("def f(x):\n    for a in itertools.compress(x, [1, 0]):\n        print(a)\n"
         "f(open('n').read)", "a", None),
        ("def f(x):\n    a, b = tuple(x)\n    return a, b\nf([1.0, 2])", "b", "number"),
        ("def f(x):\n    a, b = tuple(x)\n    return a, b\nf([1.0, open])", "b", None),
        ("def f(x):\n    a, _, b = x.partition('=')\n    return a, b\nf('a=b')", "b", "str"),
        ("def f(x):\n    y = 1.0\n    print(y)\n    y = x\n    return y\nf(open)", "y", None),
        ("def f(x):\n    y = x\n    return y\nf(open)", "y", None),
    ],
)  # fmt: skip
def test_plain(text: str, expression: str, expected: Plain | None) -> None:
    assert plain(text, expression) == expected


def test_a_library_tells_nothing() -> None:
    assert plain("def f(x):\n    return x + 1\ndef g():\n    return f(2.5)", "x") is None


def test_what_is_bound_once() -> None:
    text = """
    def f(a, b, *c, d=1, **e):
        import os.path, sys as g
        b = 2
        for h, i in a: pass
        h += 1
        with open(a) as j: pass
        try: pass
        except OSError as k: pass
        def m(): nonlocal n
        n = 3
        match a:
            case {"x": o, **p}: pass
            case [q, *o]: pass
        return [r for r in a], (s := 1), lambda t: t
    """
    tree = ast.parse(textwrap.dedent(text)).body[0]
    assert bound_once(tree) == {
        *"acde",
        "os",
        "g",
        "i",
        "j",
        "k",
        "m",
        "p",
        "q",
        "r",
        "s",
        "t",
        "f",
    }
    assert bound_once(ast.parse("x = 1")) == frozenset()
