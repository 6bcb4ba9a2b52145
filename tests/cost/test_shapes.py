"""Shapes that a program's text shows: a guess at costs, that errs to the large side."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.cost.broadcasting import ANY, NOTHING, joined
from gpuport.cost.shapes import Shapes
from gpuport.source.fields import fields_of

WORDS = placement_words().shown_lengths


def shape(body: str, expression: str) -> object:
    text = "def f(a, t, k):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    shapes = Shapes(ast.parse(text).body[0], WORDS)
    return shapes.of(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    ("body", "expression", "expected"),
    [
        ("m = np.eye(2)\nfor i in range(k):\n    m = m @ m", "m", (2, 2)),
        ("m = np.eye(4)\nfor i in range(k):\n    p = m\n    m = p @ p.T", "m", (4, 4)),
        ("m = np.array([[1.0, t], [0.0, 1.0]])", "m", (2, 2)),
        ("m = np.array([[np.cos(t), -s], [0.0, c]]) @ np.array([1.0, 2.0])", "m", (2,)),
        ("x = np.zeros(6)\ny = x * 2 / x.sum()", "y", (6,)),
        ("x = np.zeros((3, 4))\ny = x.sum(axis=0)", "y", (4,)),
        ("x = np.zeros((3, 4))\ny = np.max(x, axis=-1, keepdims=True)", "y", (3, 4)),
        ("x = np.zeros((3, 4))\ny = x[1] + x[:, None, 2]", "y", (3, 4)),
        ("x = np.zeros((3, 4))\ny = x[:, 1]", "y", (3,)),
        ("x = np.zeros((3, 4))\ny = x[..., 1]", "y", (3,)),
        ("x = np.zeros((3, 4))\ny = x[1, ..., None]", "y", (4, 1)),
        ("x = np.zeros((3, 4))\ny = x[1, ..., 2]", "y", ()),
        ("x = np.zeros((k, 4))\ny = x[1]", "y", (4,)),
        ("x = np.ones(3)\nx += a", "x", (3,)),
        ("w = 2\nx = np.arange(900)\nfor n in range(k):\n    y = x[n - w:n]", "y", (2,)),
        ("x = np.zeros(int(k))\ny = x[:3]", "y", (3,)),
        ("x = np.arange(2, 8)", "x", (8,)),
        ("x = np.random.uniform(-1, 1, (4, 3))", "x", (4, 3)),
        ("x = rng.normal(0.0, 2.0, 5)", "x", (5,)),
        ("x = rng.normal(0.0, 2.0)", "x", ANY),
        ("x = np.arange(-2, 8)", "x", (None,)),
        ("x = np.arange(0, 8, 0.1)", "x", (None,)),
        ("x = np.zeros((4, 900))\ny = x[:, -2:]", "y", (4, 2)),
        ("x = 0.0\nx += a", "x", ANY),
        ("x = 0.0\nfor i in range(9):\n    x += 0.1 * i", "x", ()),
        ("p = 1.0\nq = np.ones(6)\nfor i in range(k):\n    d = (q / 2).sum()\n    p = p + d\n"
         "    q = q * p", "q", (6,)),
        ("y = np.linalg.norm(a)", "y", ()),
        ("y = a.sum(0)", "y", ANY),
        ("y = np.dot(np.eye(3), np.ones(3))", "y", (3,)),
        ("x = np.ones(3)\nfor i in range(9):\n    x = np.concatenate([x, x])", "x", ANY),
        ("x = np.ones((2, 2))\nfor i in range(9):\n    x = x[None] * x", "x", (2, 2)),
        ("x = np.array([[a, t], [k, a]])", "x", ANY),
        ("x = x @ x", "x", NOTHING),
    ],
)  # fmt: skip
def test_shapes(body: str, expression: str, expected: object) -> None:
    assert shape(body, expression) == expected


def test_what_is_given_is_a_number_or_no_evidence() -> None:
    module = ast.parse("n = 6\nx = np.zeros(6)\ny = np.zeros(9000)\ndef f(a, b, n):\n    pass\n")
    around = Shapes(module, WORDS)
    given = {"a": "x", "b": "n", ".x": "x", ".y": "y"}
    inner = Shapes(module.body[3], WORDS, lambda name: [(around, ast.Name(given[name]))])
    assert inner.of(ast.Name("a")) == (None,)  # examples are small
    assert inner.of(ast.Name("b")) == ()
    assert inner.of(ast.parse("s.x * b", mode="eval").body) == (6,)
    assert inner.of(ast.parse("s.y", mode="eval").body) is ANY


def test_fields_of_classes() -> None:
    text = """
    class Slab:
        width: float = 1.5
        beta: np.ndarray = field(default_factory=lambda: np.array([1.0, 2.0]))
        def __init__(self, x):
            self.lam = np.ones(3)
            self.x, self.y = x
    slab.lam = np.ones(4)
    """
    found = fields_of(ast.parse(textwrap.dedent(text)))
    texts = {n: [v and ast.unparse(v) for _, v in bound] for n, bound in found.items()}
    assert sorted(texts.pop("lam")) == ["np.ones(3)", "np.ones(4)"]
    assert texts == {"width": ["1.5"], "beta": ["np.array([1.0, 2.0])"], "x": [None], "y": [None]}


def test_what_is_one_of_several() -> None:
    assert joined([(2, 3), (4, 1)]) == (4, 3)
    assert joined([(2, None), NOTHING]) == (2, None)
    assert joined([(2,), (2, 2)]) == (2, 2)
    assert joined([(2,), (2, None)]) is ANY
