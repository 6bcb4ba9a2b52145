"""What rounding may explain, what it may not, and that each acceptance names its reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.verify.aftermath.leaves import Observation, leaves_of
from gpuport.verify.comparison.compare import compare
from gpuport.verify.comparison.gauged import GAUGE_MOVES, GAUGE_TURNED
from gpuport.verify.execution.exactness import watched
from gpuport.verify.execution.tolerance import (
    COMPLEX,
    RESPONSE,
    ROUNDING,
    Policy,
    judge_floats,
    unequal,
)
from gpuport.verify.records import Verdict, VerifyOptions


def seen(value: Any, printed: str = "") -> Observation:
    leaves = tuple(leaves_of("result", value, lambda v: None))
    return Observation(leaves, leaves, printed=printed)


def test_nothing_may_deviate_where_nothing_is_rounded() -> None:
    a, b = np.array([0.5]), np.array([np.nextafter(0.5, 1)])
    assert compare(seen(a), seen(b), Policy()).looseness == {ROUNDING: 1}
    assert "rounds anything" in str(compare(seen(a), seen(b), Policy(exact=True)).difference)


def test_a_jump_at_an_edge_that_the_input_was_made_for_explains_nothing() -> None:
    here, there = np.array([1.0, 1.0]), np.array([1.0, 2.0])
    moved = Policy(responses=[seen(here), seen(there)])
    assert compare(seen(here), seen(there), moved).difference is None
    edged = replace(moved, edged=True, rounded=(0,))
    assert "became" in str(compare(seen(here), seen(there), edged).difference)
    rounding_jumps = replace(edged, rounded=(1,))
    assert compare(seen(here), seen(there), rounding_jumps).difference is None


@pytest.mark.parametrize(
    ("work", "exact"),
    [
        (lambda x: x.sum() + (x * x).sum() - 0.25, True),
        (lambda x: x @ x, True),
        (lambda x: x / 4, True),
        (lambda x: x / 3, False),
        (lambda x: np.sin(x), False),
        (lambda x: (x + 1e-17).sum(), False),
    ],
)
def test_the_processor_tells_whether_it_rounded(work: Any, exact: bool) -> None:
    x = np.arange(1, 20) * 0.5
    with watched() as rounding:
        work(x)
    if exact and not rounding.exact:
        pytest.skip("exactness is not known on this platform")
    assert rounding.exact is exact


def test_a_cancelling_sum_may_move_by_its_terms() -> None:
    original, port = np.array([0.0]), np.array([2e-16])
    moved = [seen(np.array([5e-16]))]
    assert compare(seen(original), seen(port), Policy()).difference is not None
    outcome = compare(seen(original), seen(port), Policy(responses=moved))
    assert outcome.difference is None
    assert outcome.looseness == {RESPONSE: 1}
    assert outcome.compared == 0  # inside a bound of this width there is nothing to learn


def test_what_a_wide_bound_accepts_is_no_evidence() -> None:
    original, port = np.array([1.0, 2.0]), np.array([1.5, 2.0])
    moved = [seen(np.array([2.0, 2.0]))]
    outcome = compare(seen(original), seen(port), Policy(responses=moved))
    assert outcome.compared == 0


def test_a_complex_infinity_is_an_infinity() -> None:
    a, b = np.array([complex(np.inf, np.nan)]), np.array([complex(np.nan, np.inf)])
    assert compare(seen(a), seen(b), Policy()).looseness == {COMPLEX: 1}
    assert compare(seen(a), seen(np.array([1 + 1j])), Policy()).difference is not None


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("rms 0.123", "rms 0.124", True),
        ("rms 0.123", "rms 0.125", False),
        ("n = 3", "n = 4", False),
        ("1.5e-03", "1.6e-03", True),
        ("nan", "1.0", False),
        ("1 2", "1 2 3", False),
    ],
)
def test_printed_numbers_may_differ_in_their_last_digit(
    first: str, second: str, same: bool
) -> None:
    outcome = compare(seen(1, first), seen(1, second), Policy())
    assert (outcome.difference is None) is same


def test_another_sign_of_a_singular_vector_is_equivalent_and_said(verify: Any) -> None:
    original = """
    def f(x: np.ndarray):
        u, s, vt = np.linalg.svd(x, full_matrices=False)
        return u * s
    """
    port = """
    @device("x")
    def f(x: np.ndarray):
        u, s, vt = cp.linalg.svd(x, full_matrices=False)
        return -u * s
    """
    verdict = verify(original, port)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    assert GAUGE_TURNED in dict(verdict.evidence.looseness)
    wrong = verify(original, port.replace("-u * s", "-u * s * 1.01"))["f"]
    assert wrong.verdict is Verdict.DIFFERS


def test_what_does_not_move_under_the_gauge_is_compared_directly(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    return np.linalg.svd(x)[1]\n"
    port = "@device('x')\ndef f(x: np.ndarray):\n    return {}cp.linalg.svd(x)[1]\n"
    assert verify(original, port.format("-"))["f"].verdict is Verdict.DIFFERS
    same = verify(original, port.format("0.0 + "))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same
    assert GAUGE_MOVES not in dict(same.evidence.notes)


def test_what_a_factorisation_of_infinities_leaves_is_open() -> None:
    garbage, other = (np.array(v) for v in ([np.inf, np.nan, 1.0], [np.nan, np.nan, np.nan]))
    bad = unequal(garbage, other)
    assert judge_floats("result", garbage, other, bad, Policy()).bad.any()
    assert not judge_floats("result", garbage, other, bad, Policy(factorised=True)).bad.any()
    finite = np.array([2.0, np.nan, 1.0])
    bad = unequal(garbage, finite)
    assert judge_floats("result", garbage, finite, bad, Policy(factorised=True)).bad.any()


def test_unset_elements_are_left_out_and_the_others_are_not(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    y = np.empty(x.size)\n    y[1:] = x.ravel()[1:]\n"
    port = "@device('x')\ndef f(x: np.ndarray):\n    y = cp.zeros(x.size)\n"
    same = port + "    y[1:] = x.ravel()[1:]\n    return y\n"
    other = port + "    y[2:] = x.ravel()[2:]\n    return y\n"
    assert verify(original + "    return y\n", same)["f"].verdict is Verdict.EQUIVALENT
    assert verify(original + "    return y\n", other)["f"].verdict is Verdict.DIFFERS


def test_a_condition_never_false_is_not_covered(verify: Any) -> None:
    original = "def f(x: np.ndarray):\n    if x.ndim < 77:\n        x = x * 2\n    return x\n"
    port = "def f(x: np.ndarray):\n    return x + x\n"
    verdict = verify(original, port)["f"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "line 4 was never false" in verdict.reason


def test_a_sum_that_is_rounded_hardly_at_all_may_be_summed_otherwise(verify: Any) -> None:
    original = """
    def f(a: np.ndarray):
        s = np.sqrt(np.abs(a)).sum()
        return s % 2.0, s
    """
    port = original.replace(".sum()", ".sum(axis=0).sum()")
    assert verify(original, port)["f"].verdict is Verdict.EQUIVALENT
    wrong = original.replace("s % 2.0", "s % 2.0 * (1 + 1e-9)")
    assert verify(original, wrong)["f"].verdict is Verdict.DIFFERS


def test_complex_numbers_that_are_nan_in_one_part_have_no_order(
    verify: Any, tmp_path: Path
) -> None:
    one_by_one = """
    def f(x: "NDArray[np.complex128]"):
        n = 0
        for v in x.ravel():
            n += bool(v > 0)
        return n, x.sum()
    """
    vector = """
    def f(x: "NDArray[np.complex128]"):
        n = int((x.ravel() > 0).sum())
        return n, x.sum()
    """
    options = VerifyOptions(root=tmp_path, examples=120)
    found = verify(one_by_one, vector, options)["f"]
    assert found.verdict is Verdict.EQUIVALENT, found
    assert any("NaN in one part" in note for note, _ in found.evidence.notes)
    wrong = verify(one_by_one, vector.replace("> 0", ">= 0"), options)["f"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
