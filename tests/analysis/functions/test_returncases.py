"""The cases in which functions return, and which of them a call reaches."""

from __future__ import annotations

import ast

import pytest

from gpuport.analysis.functions.returncases import cases_of, reached
from gpuport.analysis.values.lattice import NONE, Array, Scalar, Value
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def _reached(body: str, given: dict[str, Value | None]) -> list[str]:
    """What the returns give that a call may reach; ``end`` for the end of the function."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    function = ast.parse(f"def f(x, y=None, flag=False, mode='a'):\n{lines}\n").body[0]
    cases = cases_of(function)
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    found = [
        ast.unparse(node.value or ast.Constant(None))
        for node in returns if reached(cases.of(node), given)
    ]  # fmt: skip
    several = len(cases.every) > 1
    ends = several and cases.end is not None and reached(cases.end, given)
    return sorted(found) + ["end"] * ends


YES, NO = Scalar("bool", True), Scalar("bool", False)


@pytest.mark.parametrize(
    ("body", "given", "expected"),
    [
        ("if flag:\n    return 1\nreturn 2", {"flag": YES}, ["1"]),
        ("if flag:\n    return 1\nreturn 2", {"flag": NO}, ["2"]),
        ("if flag:\n    return 1\nreturn 2", {"flag": Scalar("bool")}, ["1", "2"]),
        ("if flag:\n    return 1\nreturn 2", {"flag": NONE}, ["2"]),
        ("if flag:\n    return 1\nreturn 2", {"flag": Array()}, ["1", "2"]),
        ("if not flag:\n    return 1\nelse:\n    return 2", {"flag": YES}, ["2"]),
        ("if y is None:\n    return 1\nreturn 2", {"y": Array()}, ["2"]),
        ("if y is None:\n    return 1\nreturn 2", {"y": Array(optional=True)}, ["1", "2"]),
        ("if y is None:\n    return 1\nreturn 2", {"y": NONE}, ["1"]),
        ("if y is None:\n    y = x\nif flag:\n    return 1\nreturn y", {"flag": NO}, ["y"]),
        ("if y is not None and flag:\n    return 1\nreturn 2", {"y": NONE}, ["2"]),
        ("if y is not None and flag:\n    return 1\nreturn 2", {"y": Array()}, ["1", "2"]),
        ("if y is None or flag:\n    return 1\nreturn 2", {"flag": YES}, ["1"]),
        ("if mode == 'a':\n    return 1\nelif mode == 'b':\n    return 2",
         {"mode": Scalar("str", "c")}, ["end"]),
        ("if mode != 'a':\n    return 1\nreturn 2", {"mode": Scalar("str", "a")}, ["2"]),
        # What the name holds is not what was given.
        ("flag = x > 3\nif flag:\n    return 1\nreturn 2", {"flag": NO}, ["1", "2"]),
        ("for i in x:\n    if flag:\n        return 1\n    flag = True\nreturn 2",
         {"flag": NO}, ["1", "2"]),
        ("def g():\n    nonlocal flag\n    flag = True\ng()\nif flag:\n    return 1\nreturn 2",
         {"flag": NO}, ["1", "2"]),
        # Where a block may be left, what follows it is reached too.
        ("while True:\n    if flag:\n        break\n    return 1\nreturn 2",
         {"flag": NO}, ["1", "2"]),
        ("try:\n    if flag:\n        return 1\nexcept ValueError:\n    pass\nreturn 2",
         {"flag": YES}, ["1", "2"]),
    ],
)  # fmt: skip
def test_what_a_call_reaches(body: str, given: dict[str, Value | None], expected: list[str]):
    assert _reached(body, given) == expected


PROGRAM = """import functools
import numpy as np

class Smoother:
    def __init__(self, n):
        self.x = np.linspace(0, 1, n)

    def predict(self, z, return_weights=False):
        k = np.exp(-(z[:, None] - self.x[None, :]) ** 2)
        if return_weights:
            return k.sum(axis=1), k
        return k.sum(axis=1)

def main(flags):
    smoother = Smoother(200)
    z = np.cos(np.arange(300.0))
    for _ in range(20):
        z = z + smoother.predict(z)
    {call}
    print(z.sum(), np.sqrt(k).sum())

main([True])
"""


@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("v, k = smoother.predict(z, return_weights=True)", True),
        ("v, k = smoother.predict(z, True)", True),
        ("v, k = smoother.predict(z, **{'return_weights': flags[0]})", False),
        ("v, k = smoother.predict(z, flags[0])", False),
    ],
)
def test_calls_that_tell_the_case_are_on_the_device(call: str, known: bool):
    report = port_module(parse("program.py", PROGRAM.replace("{call}", call)), Config())
    told = [one.message for one in report.findings if "one thing or another" in one.message]
    assert bool(told) is not known
    assert ("cp.sqrt(k)" in (report.after or "")) is known


LIBRARY = """import numpy as np
from numpy.typing import NDArray

def predict(x: NDArray[np.float64], z: NDArray[np.float64], return_weights=False):
    k = np.exp(-(z[:, None] - x[None, :]) ** 2)
    if return_weights:
        return k.sum(axis=1), k
    return k.sum(axis=1)

def used(x: NDArray[np.float64], z: NDArray[np.float64], flag):
    {call}
    return np.tanh(v) * np.sqrt(v)
"""


@pytest.mark.parametrize(
    ("call", "known"),
    [
        ("v, k = predict(x, z, return_weights=True)", True),
        ("v = predict(x, z)", True),
        ("v = predict(x, z, False)", True),
        ("v = predict(x, z, flag)", False),
        ("v = predict(x, z, return_weights=flag)[0]", False),
        ("v = predict(x, z, **flag)", False),
    ],
)
def test_callers_of_a_function_with_a_boundary_know_what_they_ask_for(call: str, known: bool):
    report = port_module(parse("library.py", LIBRARY.replace("{call}", call)), Config())
    body = (report.after or "").partition("def used(")[2]
    assert ("cp.tanh(" in body) is known
