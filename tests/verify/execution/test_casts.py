"""Casts of floats that no integer holds: what is computed from these proves nothing."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

ORIGINAL = "def f(x: np.ndarray):\n    y = x.astype(np.int64)\n    return y // 3, y >> 1"
PORT = "@device('x')\n" + ORIGINAL


def test_what_is_computed_from_such_a_cast_is_left_out_and_told(verify: Any) -> None:
    verdict = verify(ORIGINAL, PORT)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    notes = dict(verdict.evidence.notes)
    assert notes["left out: floats cast to integers that cannot hold them"] > 0


@pytest.mark.parametrize("wrong", ["cp.trunc(y / 3).astype(np.int64)", "y.astype(np.int32) // 3"])
def test_faults_beside_such_a_cast_are_found(wrong: str, verify: Any) -> None:
    port = PORT.replace("y // 3", wrong)
    assert verify(ORIGINAL, port)["f"].verdict is Verdict.DIFFERS


def test_where_all_casts_are_such_nothing_is_known(verify: Any) -> None:
    original = ORIGINAL.replace("x.astype", "(np.abs(x) + 1e300).astype")
    port = f"@device('x')\n{original}".replace("np.abs", "cp.abs")
    verdict = verify(original, port)["f"]
    assert verdict.verdict is Verdict.UNTESTED


INTO = """
def f(a: "np.ndarray", out: "NDArray[np.uint32]"):
    for i in range(len(a)):
        out[i] = a[i] * 2
"""
STACKED = """
@device("a", "out", writes="out")
def f(a: "np.ndarray", out: "NDArray[np.uint32]"):
    out[: len(a)] = a * {factor}
"""


def test_negative_floats_put_into_unsigned_elements_prove_nothing(verify: Any) -> None:
    head = "from numpy.typing import NDArray\n"
    verdict = verify(head + INTO, head + STACKED.format(factor=2))["f"]
    assert verdict.verdict is not Verdict.DIFFERS, verdict
    assert dict(verdict.evidence.notes)["left out: floats cast to integers that cannot hold them"]
    wrong = verify(head + INTO, head + STACKED.format(factor=3))["f"]
    assert wrong.verdict is Verdict.DIFFERS


@pytest.mark.everything  # 45 s
def test_floats_put_into_whole_numbers_by_a_ufunc_prove_nothing(verify: Any) -> None:
    original = """
    def highest(out: "NDArray[np.int64]", idx: "NDArray[np.int64]", v: "NDArray[np.float64]"):
        np.maximum.at(out, idx, np.where(v > 0.5, np.nan, v))
        return out
    """
    port = """
    @device("out", "idx", "v", writes="out")
    def highest(out: "NDArray[np.int64]", idx: "NDArray[np.int64]", v: "NDArray[np.float64]"):
        cp.maximum.at(out, idx, cp.where(v > 0.5, cp.nan, v).astype(out.dtype))
        return out
    """
    verdict = verify(original, port)["highest"]
    assert verdict.verdict is not Verdict.DIFFERS, verdict


@pytest.mark.parametrize("call", ["x.cumsum(dtype=np.int64)", "np.cumsum(x, dtype=np.int64)"])
def test_what_sums_cast_before_they_add_proves_nothing(call: str, verify: Any) -> None:
    original = f"def f(x: 'Float64[np.ndarray, \"n\"]'):\n    return {call} // 2\n"
    port = f"@device('x')\n{original}".replace("np.cumsum", "cp.cumsum")
    verdict = verify(original, port, VerifyOptions(examples=60))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = verify(original, port.replace("// 2", "// 3"))["f"]
    assert wrong.verdict is Verdict.DIFFERS
