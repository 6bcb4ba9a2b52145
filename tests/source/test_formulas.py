"""Which functions give a number of numbers, and an array of arrays."""

from __future__ import annotations

import ast

import pytest

from gpuport.source.formulas import is_formula


def told(text: str) -> bool:
    (function,) = ast.parse(text).body

    def computes(call: ast.Call) -> bool:
        return ast.unparse(call.func) in ("np.sqrt", "np.exp", "np.maximum")

    def is_number(node: ast.expr) -> bool:
        return ast.unparse(node) in ("G", "np.pi")

    return is_formula(function, computes, is_number)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return np.sqrt(x)",
        "def f(x, a=2.0, *, b=G):\n    y = a * np.exp(-x)\n    return np.pi * y + b",
        'def f(x):\n    "Words."\n    return np.maximum(x, 0.5) ** 2',
    ],
)
def test_formulas(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return 2.0 * x",
        "def f(x): return np.sqrt(x) * W",
        "def f(x, w=W): return np.sqrt(x) * w",
        "def f(x): return np.sqrt(x, dtype=float)",
        "def f(x): return np.sqrt(x).sum()",
        "def f(x): return np.sqrt(x[0])",
        "def f(x): return np.sqrt(x) if x else 0.0",
        "def f(x): return np.where(x > 0, np.sqrt(x), 0.0)",
        "def f(x): return np.sqrt(x) @ x",
        "def f(x): return np.sqrt(x), x",
        "def f(x): np.sqrt(x)",
        "def f(x):\n    y = np.sqrt(x)",
        "def f(x):\n    y[0] = np.sqrt(x)\n    return y",
        "def f(x):\n    global G\n    G = np.sqrt(x)\n    return G",
        "@cache\ndef f(x): return np.sqrt(x)",
        "async def f(x): return np.sqrt(x)",
        "class f: pass",
    ],
)
def test_others(text: str) -> None:
    assert not told(text)
