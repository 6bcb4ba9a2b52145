"""What a function does with a parameter, and what is tried for it because of that."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions
from gpuport.verify.signatures.usage import asked_for_none, guessed, indexed


def scope(line: str) -> ast.AST:
    return ast.parse(f"def f(x, y, n):\n    {line}\n")


@pytest.mark.parametrize(
    ("line", "is_index"),
    [
        ("return y[x]", True),
        ("return y[x - 1]", True),
        ("return y[np.minimum(x, n)]", True),
        ("return y[x > n]", False),
        ("return y[(x > n) & (x < 2 * n)]", False),
        ("y[np.isnan(x)] = 0", False),
        ("return y[np.argsort(x)]", False),
        ("return y[~x]", False),
    ],
)
def test_what_only_decides_what_is_chosen_is_no_index(line: str, is_index: bool) -> None:
    assert indexed("x", scope(line)) is is_index


def test_what_is_turned_round_in_a_subscript_is_a_mask() -> None:
    assert next(guessed("x", scope("return y[~x]"))).dtype == "bool"
    assert next(guessed("x", scope("return y[x]"))).dtype == "int64"


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("return y if x is None else x", True),
        ("return x if x is not None else y", True),
        ("return y is None", False),
        ("return x == None", False),
    ],
)
def test_whether_none_is_asked_for(line: str, asked: bool) -> None:
    assert asked_for_none("x", scope(line)) is asked


def test_a_fault_for_numbers_that_are_compared_in_a_subscript_is_found(verify: Any) -> None:
    original = """
    def active(x, lower):
        found = np.zeros(x.shape, dtype=int)
        found[x <= lower] = -1
        return found
    """
    port = """
    @device("x", "lower", require=("x", "lower"))
    def active(x, lower):
        found = cp.zeros(x.shape, dtype=int)
        found[x < lower + 1e-9] = -1
        return found
    """
    assert verify(original, port)["active"].verdict is Verdict.DIFFERS


def test_an_index_is_a_mask_now_and_then(verify: Any) -> None:
    original = "def chosen(x, which):\n    return x[which] * 2.0\n"
    port = '@device("x", "which", require="x")\ndef chosen(x, which):\n    return {} * 2.0\n'
    right = verify(original, port.format("x[which]"))["chosen"]
    assert right.verdict is Verdict.EQUIVALENT, right
    wrong = port.format("x[which.astype(int) if which.ndim == 1 else which]")
    found = verify(original, wrong, VerifyOptions(examples=100))["chosen"]
    assert found.verdict is Verdict.DIFFERS, found


def test_a_required_argument_that_may_be_none_is_so_in_some_examples(verify: Any) -> None:
    original = """
    def scaled(x, weights):
        if weights is None:
            return x / x.size
        return x * weights
    """
    port = """
    @device("x", "weights", require="x")
    def scaled(x, weights):
        if weights is None:
            return x / len(x)
        return x * weights
    """
    options = VerifyOptions(examples=60)
    assert verify(original, port, options)["scaled"].verdict is Verdict.DIFFERS
    port = port.replace("len(x)", "x.size")
    found = verify(original, port, options)["scaled"]
    assert found.verdict is Verdict.EQUIVALENT, found
