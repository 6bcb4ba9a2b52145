"""Masks whose two outcomes are met are no reason to doubt, wherever the threshold lies."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

MET = (
    "return np.where(x > 12345.0, 2 * x, x)",
    "return np.select([x > 100.0, x < -3.0], [x, 2 * x], 0.5)",
    "y = x * 2\n        y[np.isnan(x)] = 0.0\n        y[x == 0] = 7.0\n        return y",
    "y = x * 2\n        y[np.sqrt(np.abs(x)) > 333.0] -= 1.0\n        return y",
    "return np.divide(1.0, x, out=x * 2, where=x != 0)",
)


@pytest.mark.parametrize("body", MET)
def test_masks_by_thresholds_of_the_text_are_met_both_ways(verify: Any, body: str) -> None:
    original = f"""
    def f(x: "NDArray[np.float64]"):
        {body}
    """
    verdict = verify(original, original.replace("x * 2", "x + x").replace("2 * x", "x + x"))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_subscripts_that_are_no_masks_say_nothing(verify: Any) -> None:
    original = """
    def f(x: "NDArray[np.float64]"):
        order = np.argsort(x.ravel(), kind="stable")
        return x.ravel()[order] * 2.0, x[..., None][:, 0] if x.ndim == 1 else x[:1]
    """
    verdict = verify(original, original.replace("* 2.0", "/ 0.5"))["f"]
    assert "mask" not in verdict.reason, verdict
