"""Which arrays are known to be small: a guess at costs, that errs to the large side."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import knowledge, placement_words
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.smallness import few, length_shown
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def is_small(body: str, expression: str) -> bool:
    function = ast.parse("def f(a):\n" + textwrap.indent(textwrap.dedent(body), "    ")).body[0]
    words = placement_words().shown_lengths
    return few(function, ast.parse(expression, mode="eval").body, words=words)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("x = rng.normal(size=(20, 4))", "x"),
        ("x = rng.normal(size=(20, 4))", "x.T"),
        ("x = rng.normal(size=20)\ny = x * 2 + x", "y"),
        ("n = 5\nx = np.zeros((n, n))", "x"),
        ("x = np.eye(30)", "x"),
        ("x = np.array([[1.0, -2.0], [3.0, 4.0]])", "x"),
        ("for d in [3, 8] * 10:\n    m = rng.random((d, d))", "m"),
        ("sizes = (3, 8)\nfor d in sizes:\n    m = rng.normal(size=(d, d))", "m"),
        ("for d in range(30):\n    m = rng.normal(size=d)", "m"),
        ("xs = [rng.normal(size=(3, 3)) for _ in range(9)]\nfor x in xs:\n    pass", "x"),
    ],
)
def test_lengths_that_are_written_tell(body: str, expression: str) -> None:
    assert is_small(body, expression)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("x = rng.normal(size=(2000, 400))", "x"),
        ("x = np.eye(40)", "x"),
        ("x = rng.normal(size=a)", "x"),
        ("x = np.zeros(3)\nx = a", "x"),
        ("x = np.zeros(3)\nx, y = a", "x"),
        ("x = np.zeros(3)\nfor _ in range(9):\n    x = np.concatenate([x, x])", "x"),
        ("x = np.zeros(3)\nwith open(a) as x:\n    pass", "x"),
        ("for d in [3, 8000]:\n    m = rng.normal(size=d)", "m"),
        ("x = x @ x", "x"),
        ("pass", "a"),
        ("pass", "unknown"),
    ],
)
def test_what_is_not_evident_is_large(body: str, expression: str) -> None:
    assert not is_small(body, expression)


PROGRAM = """
import numpy as np


def factors(matrices):
    return [np.linalg.inv(m) for m in matrices]


def main(path):
    rng = np.random.default_rng(1)
    matrices = []
    for n in range({smallest}, {largest}):
        m = rng.normal(size=(n, n))
        matrices.append(m @ m.T)
    np.savez(path, *factors(matrices))
"""


@pytest.mark.parametrize(("smallest", "largest", "kept"), [(2, 9, True), (900, 1000, False)])
def test_small_products_wait_for_the_transfer_of_all(smallest, largest, kept) -> None:
    text = PROGRAM.format(smallest=smallest, largest=largest)
    after = port_module(parse("module.py", text), Config()).after
    assert after is not None
    assert ("m = cp.asarray(rng.normal(size=(n, n)))" in after) is not kept


HANDED = """import numpy as np
KINDS = (0.1, 0.5, 0.9)
def asked(x, n=4, *, k=2):
{body}
if __name__ == "__main__":
    {call}
"""


BETWEEN = """def between(y, count):
    return asked(y, count)
"""


def shown(length: str, call: str, body: str = "    pass") -> int | None:
    text = HANDED.format(body=body, call=call) + (BETWEEN if "between" in call else "")
    module = parse("run.py", text)
    project = Project(module, knowledge())
    project.analyse()
    (scope,) = [one for one in project.every_scope() if one.name == "asked"]
    return length_shown(project.unit(scope), ast.parse(length, mode="eval").body)


@pytest.mark.parametrize(
    ("length", "call", "expected"),
    [
        ("n", "asked(None, 7)", 7),
        ("n", "asked(None, n=3); asked(None, 5)", 5),
        ("n", "asked(None)", 4),
        ("n", "between(None, 6)", 6),
        ("len(x)", "asked([1, 2, 3])", 3),
        ("len(x)", "asked(np.array([0.2, 0.5]))", 2),
        ("len(x)", "asked(np.linspace(0.1, 1.0, 5) * 2)", 5),
        ("x.shape[1]", "asked(np.zeros((8, 3)))", 3),
        ("x.shape[1]", "a = np.ones((9, 2)); between(a, 1)", 2),
        ("x.size", "asked(np.zeros((8, 3)))", 24),
        ("max(len(x), n)", "asked(np.ones(3), 9)", 9),
        ("len(KINDS)", "asked(None)", 3),
    ],
)
def test_what_all_calls_pass_tells_lengths(length: str, call: str, expected: int) -> None:
    assert shown(length, call) == expected


@pytest.mark.parametrize(
    ("length", "call"),
    [
        ("n", "asked(None, int(input()))"),
        ("n", "asked(None, 3); asked(*[None, 2])"),
        ("n", "asked(None, 3); print(list(map(asked, [1])))"),
        ("k", "asked(None, k=3)"),
        ("len(x)", "asked([1, 2]); asked(np.load('x.npy'))"),
        ("x.shape[1]", "asked(np.zeros((8, 3))); asked(np.zeros(4))"),
        ("m", "asked(None)"),
    ],
)
def test_one_call_that_shows_nothing_is_enough(length: str, call: str) -> None:
    assert shown(length, call) is None


def test_a_module_that_others_may_import_has_callers_that_are_not_seen() -> None:
    module = parse("tools.py", "def asked(n):\n    pass\n\ndef other():\n    asked(3)\n")
    project = Project(module, knowledge())
    project.analyse()
    (scope,) = [one for one in project.every_scope() if one.name == "asked"]
    assert length_shown(project.unit(scope), ast.Name("n", ast.Load())) is None


def test_a_parameter_that_is_bound_anew_is_both() -> None:
    assert shown("n", "asked(None, 9)", "    n = 2") == 9
