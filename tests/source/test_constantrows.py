"""Which places take nothing but numbers of an array whose text says how many axes it has."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.constantrows import counters_of, reads_numbers, written_axes
from gpuport.source.syntax import children


def resolve(node: ast.expr) -> str | None:
    name = ast.unparse(node)
    return name.replace("np.", "numpy.") if "." in name else f"builtins.{name}"


@pytest.mark.parametrize(
    ("value", "axes"),
    [
        ("np.array([1, -2, 3 / 4])", 1),
        ("np.array([(0, 1), (1, 0)])", 2),
        ("np.array([[0, 1], 2])", None),
        ("np.array([a, b])", None),
        ("np.array([])", None),
        ("np.array([1, 2], dtype=object)", None),
        ("np.zeros([1, 2])", None),
    ],
)
def test_axes_that_are_written(value: str, axes: int | None) -> None:
    assert written_axes(ast.parse(value, mode="eval").body, resolve) == axes


@pytest.mark.parametrize(
    ("text", "axes", "taken"),
    [
        ("for i, (a, b) in enumerate(C): pass", 2, True),
        ("for a, b in C: pass", 2, True),
        ("for a in C: pass", 1, True),
        ("for a in C: pass", 2, False),
        ("for a, b in C: pass", 3, False),
        ("for a, *b in C: pass", 2, False),
        ("for (a, b), k in zip(C, x): pass", 2, True),
        ("for k, row in zip(x, C): pass", 2, False),
        ("for pair in zip(C, x): pass", 2, False),
        ("a, b = C[0]", 2, True),
        ("a = C[0]", 2, False),
        ("a = C[0, -1]", 2, True),
        ("a = C[s]", 1, False),
        ("for i in range(3): a, b = C[i]", 2, True),
        ("for i in range(3): i = s; a, b = C[i]", 2, False),
        ("t = tuple(C[0])", 2, True),
        ("t = tuple(C)", 2, False),
        ("t = max(C, key=f)", 1, False),
        ("C[0, 0] = 1", 2, False),
        ("f(C)", 1, False),
        ("it = enumerate(C)", 1, False),
        ("t = [a + b for a, b in C]", 2, True),
    ],
)
def test_numbers_are_taken(text: str, axes: int, taken: bool) -> None:
    tree = ast.parse(text)
    above = {id(one): node for node in ast.walk(tree) for one in children(node)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    (node,) = [name for name in names if name.id == "C"]
    counters = counters_of(names, above, resolve)
    assert reads_numbers(node, axes, above, resolve, counters) is taken
