"""What is computed again and again of a few elements is no work for the device."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.config import Config
from gpuport.cost.fewelements import few_elements
from gpuport.cost.shapes import Shapes
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def found(body: str) -> set[str]:
    """The expressions and statements of a function that are of a few elements."""
    text = "def f(q, p, w, n):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    function = ast.parse(text).body[0]
    _, ids = few_elements(function, Shapes(function, placement_words().shown_lengths))
    return {ast.unparse(node) for node in ast.walk(function) if id(node) in ids}


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("a = np.zeros(3)\nfor k in range(n):\n    a += w[k] * (q - p)", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    a += w[k] * (q - p)", "a += w[k] * (q - p)"),
        ("a = np.zeros(3)\nfor k in range(n):\n    d = q - p\n    a -= -d / 2", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    d = q - p\n    a -= d\n    b = d @ d", "d @ d"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[k] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[k] = q - p", "q - p"),
        ("a = np.zeros((n, n, 2))\nfor k in range(n):\n    a[k, 0 + k] = q - p", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    a[:2] -= q - p", "q - p"),
        ("a = np.array([1.0, 2.0])\nwhile n:\n    b = np.exp(a)", "np.exp(a)"),
        ("a = np.zeros(3)\nfor v in w:\n    a = a + 0.5 * (v - a[0])", "0.5 * (v - a[0])"),
        ("a = np.eye(2)\nfor v in w:\n    a = a * v\n    c = a @ a", "a @ a"),
        (
            "a = np.eye(6)\nwhile n:\n    for i in range(2, 6):\n        a[i] -= a[i - 1] * 2.0",
            "for i in range(2, 6):\n    a[i] -= a[i - 1] * 2.0",
        ),
        ("a = np.array([1.0, 2.0])\nwhile n:\n    b = 2 * a.sum()", "a.sum()"),
        (
            "for k in range(n):\n    a = np.eye(2)\n    a = a @ np.array([[p[k, 0], 1.0], q])",
            "a @ np.array([[p[k, 0], 1.0], q])",
        ),
        (
            "a = np.eye(2)\nfor k in range(n):\n"
            "    c = np.cos(2 * p[k, k] / w[k])\n    a = a @ np.array([c, q])",
            "a @ np.array([c, q])",
        ),
        ("a = np.eye(2)\nfor k in range(n):\n    a = 0.5 * (a @ a)", "a @ a"),
        ("x = np.arange(900)\nfor k in range(n):\n    u = x[k - 2:k]\n    v = 0.5 * u", "0.5 * u"),
    ],
)
def test_what_goes_into_a_few_places_is_little(body: str, expression: str) -> None:
    assert expression in found(body)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("a = np.zeros(n)\nfor k in range(n):\n    a += q - p", "q - p"),
        ("a = np.zeros(3)\na = q + a\nfor k in range(n):\n    a += q - p", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    a = a + (q - p)", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    a += (q - p) @ w", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    a += (q - p).sum(axis=0)", "q - p"),
        ("a = np.zeros((3, n))\nfor k in range(n):\n    a[k] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[:, 0] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[..., k] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[w > 0] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in range(n):\n    a[w[k]] += q - p", "q - p"),
        ("a = np.zeros((n, 3))\nfor k in w:\n    a[k] += q - p", "q - p"),
        ("a = np.zeros(3)\nfor k in range(n):\n    d = q - p\n    d = w\n    a += d", "q - p"),
        ("a = np.eye(2)\nfor k in range(n):\n    a = a @ np.array([p, q])", "a @ np.array([p, q])"),
        ("a = np.eye(2)\nfor k in range(n):\n    a = a @ p", "a @ p"),
        ("a = np.zeros(3)\na += q - p", "q - p"),  # once
        (
            "a = np.eye(6)\nfor i in range(n):\n    a[0] -= 2.0",
            "for i in range(n):\n    a[0] -= 2.0",
        ),
        (
            "a = np.eye(6)\nwhile n:\n    for i in range(6):\n        a[i] -= q[i]",
            "for i in range(6):\n    a[i] -= q[i]",
        ),
        ("a = np.zeros(1)\nfor v in w:\n    a = a + np.exp(v)", "np.exp(v)"),
        ("a = np.zeros(3)\nfor v in w:\n    a = v @ a", "v @ a"),
        ("a = np.zeros(3)\nfor v in w:\n    a = np.exp(v)", "np.exp(v)"),
    ],
)
def test_what_may_be_large_is_not(body: str, expression: str) -> None:
    assert expression not in found(body)


PAIRS = """import numpy as np

def pulls(positions: np.ndarray, masses: np.ndarray):
    out = []
    for i, p in enumerate(positions):
        pull = np.zeros(3)
        for j, q in enumerate(positions):
            if i == j:
                continue
            d = q - p
            pull += masses[j] * d / np.linalg.norm(d) ** 3
        out.append(pull)
    return np.array(out)


def twice(positions: np.ndarray, masses: np.ndarray):
    return pulls(np.exp(positions) * positions + positions, masses)
"""


def test_pairs_of_points_are_worked_on_together() -> None:
    """Some ten launches for each pair would be slower than NumPy by far."""
    text = port_module(parse("pulls.py", PAIRS), Config()).after or PAIRS
    within = text.partition("    for i, p in enumerate(positions):")[2].partition("    return")[0]
    assert "pull = _pulls_loop(positions, i, p, pull, masses)" in within or "cp." not in within
    assert "for j, q" not in within or "cp." not in within


NESTED = """\
import numpy as np


def fitted(x):
    design = np.stack([np.linspace(0.0, 1.0, 40), np.ones(40)], axis=1)
    out = np.empty((len(x), x.shape[1], 2))
    for i in range(len(x)):
        for k in range(x.shape[1]):
            weighted = design * np.exp(-np.abs(x[i, k]))[:, None]
            out[i, k] = np.linalg.solve(weighted.T @ design, weighted.T @ x[i, k])
    return out


def main():
    x = np.random.default_rng(1).normal(size=(50, 60, 40))
    print(fitted(x).sum(), (np.exp(x) * np.sin(x)).sum())


main()
"""


def test_in_nests_of_loops_more_elements_are_few() -> None:
    """Eighty elements in each of three thousand trips: a launch for each would be slower."""
    after = port_module(parse("m.py", NESTED), Config()).after or ""
    assert "weighted = design * np.exp(-np.abs(x[i, k]))[:, None]" in after


def test_how_many_are_few_is_for_the_caller_to_say() -> None:
    function = ast.parse(
        "def f(n):\n    a = np.zeros((40, 2))\n    for k in range(n):\n        b = a + k"
    )
    words = placement_words().shown_lengths
    (product,) = (node for node in ast.walk(function) if isinstance(node, ast.BinOp))
    found = [
        few_elements(function.body[0], Shapes(function.body[0], words), most)[0]
        for most in (36, 128)
    ]
    assert [id(product) in one for one in found] == [False, True]
