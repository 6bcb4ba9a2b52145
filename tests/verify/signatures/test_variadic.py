"""Functions that take ``*parts`` and ``**options``: a port that drops them is found."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.signatures.variadic import call, variadic

PASSED_ON = """
def reduced(x: np.ndarray, name="sum", **options):
    return getattr(np, name)(x, **options)
"""
PASSED_ON_PORT = """
@device("x")
def reduced(x: np.ndarray, name="sum", **options):
    return getattr(cp, name)(x, **options)
"""
READ = """
def smooth(x: np.ndarray, **options):
    width = options.get("width", 3)
    if "offset" in options:
        x = x + options["offset"]
    return np.convolve(x, np.ones(width) / width, mode="same")
"""
READ_PORT = """
@device("x")
def smooth(x: np.ndarray, **options):
    width = options.get("width", 3)
    if "offset" in options:
        x = x + options["offset"]
    return cp.convolve(x, cp.ones(width) / width, mode="same")
"""
JOINED = """
def joined(*parts):
    return np.concatenate([np.atleast_1d(p) for p in parts], axis=0)
"""
JOINED_PORT = """
def joined(*parts):
    return cp.asnumpy(cp.concatenate([cp.atleast_1d(cp.asarray(p)) for p in parts], axis=0))
"""
METHOD = """
class Sum:
    def __init__(self, *terms: float):
        self.terms = terms

    def of(self, x: np.ndarray, *more: float):
        return x * (sum(self.terms) + sum(more))
"""
METHOD_PORT = """
class Sum:
    def __init__(self, *terms: float):
        self.terms = terms

    @device("x")
    def of(self, x: np.ndarray, *more: float):
        return x * (sum(self.terms) + sum(more))
"""


@pytest.mark.parametrize(
    ("original", "port", "function"),
    [
        (PASSED_ON, PASSED_ON_PORT, "reduced"),
        (READ, READ_PORT, "smooth"),
        (JOINED, JOINED_PORT, "joined"),
        (METHOD, METHOD_PORT, "Sum.of"),
    ],
)
def test_a_right_port_is_equivalent(original: str, port: str, function: str, verify: Any) -> None:
    verdict = verify(original, port)[function]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


@pytest.mark.parametrize(
    ("original", "port", "function", "right", "wrong"),
    [
        (PASSED_ON, PASSED_ON_PORT, "reduced", "(x, **options)", "(x)"),
        (READ, READ_PORT, "smooth", 'options.get("width", 3)', "3"),
        (READ, READ_PORT, "smooth", 'x + options["offset"]', "x"),
        (JOINED, JOINED_PORT, "joined", "in parts]", "in parts[:2]]"),
        (METHOD, METHOD_PORT, "Sum.of", "+ sum(more)", ""),
    ],
)
def test_what_is_dropped_is_found(
    original: str, port: str, function: str, right: str, wrong: str, verify: Any, tmp_path: Path
) -> None:
    assert right in port
    options = VerifyOptions(root=tmp_path, examples=60)
    assert verify(original, port.replace(right, wrong), options)[function].verdict.failing


def test_what_nothing_is_known_of_is_not_called_equivalent(verify: Any) -> None:
    text = """
    def told(x: np.ndarray, **options):
        if set(options) - {"secret"}:
            raise TypeError(options)
        return x + len(options)
    """
    port = text.replace("def told", '@device("x")\n    def told')
    verdict = verify(text, port)["told"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "**options" in verdict.reason


def test_the_counterexample_passes_them_on(verify: Any) -> None:
    verdict = verify(JOINED, JOINED_PORT.replace("in parts]", "in parts[:2]]"))["joined"]
    assert verdict.counterexample is not None
    test: Path = verdict.counterexample.test
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", test.name],
        cwd=test.parent, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stdout
    assert "TypeError" not in run.stdout


def test_those_that_are_not_used_are_no_parameters() -> None:
    node = ast.parse("def f(x, *args, **kwargs):\n    return x").body[0]
    assert isinstance(node, ast.FunctionDef)
    assert not list(variadic(node))


def test_they_are_passed_where_they_stood() -> None:
    def seen(*args: Any, **kwargs: Any) -> Any:
        return args, kwargs

    found = call(seen, [1], {"b": 2, "*rest": (3, 4), "**more": {"c": 5}})
    assert found == ((1, 3, 4), {"b": 2, "c": 5})
