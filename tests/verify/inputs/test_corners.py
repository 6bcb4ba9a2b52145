"""Values that stand alone at the ends of an array, however slow the function is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

ORIGINAL = """
import time

def f(x: "NDArray[np.float64]"):
    time.sleep({pause})
    return np.sin(x) + x * 1e-300
"""


@pytest.mark.parametrize(
    "condition", ["abs(x[-1]) > 1e150 and np.isfinite(x[-1])", "x[-1] != x[-1]"]
)
@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_what_is_wrong_for_an_end_alone_is_found(
    condition: str, pause: float, verify: Any, tmp_path: Path
) -> None:
    original = ORIGINAL.format(pause=pause)
    wrong = "return np.sin(x) + x * (0.5 if x.ndim == 1 and x.size > 2 and CONDITION else 1e-300)"
    port = original.replace("return np.sin(x) + x * 1e-300", wrong.replace("CONDITION", condition))
    options = VerifyOptions(root=tmp_path, examples=300, function_seconds=10.0)
    verdict = verify(original, port, options)["f"]
    assert verdict.verdict is Verdict.DIFFERS, verdict


def test_a_corner_is_met_with_every_small_number_of_steps(verify: Any, tmp_path: Path) -> None:
    """An infinity at an end is a NaN after one step there, and after two elsewhere."""
    original = """
    def f(u, g, steps=3):
        for _ in range(steps):
            new = u.copy()
            new[1:-1] = 0.5 * (u[:-2] + u[2:] - g[1:-1])
            change = np.abs(new - u).max()
            u = new
        return u, change
    """
    port = original.replace("0.5 * (u[:-2] + u[2:]", "0.5 * (u[2:] + u[:-2]")
    options = VerifyOptions(root=tmp_path, examples=100, function_seconds=20.0)
    right = verify(original, port, options)["f"]
    assert right.verdict is Verdict.EQUIVALENT, right
    inner = "np.abs((new - u)[1:-1] if len(u) > 2 else new - u).max()"
    wrong = port.replace("np.abs(new - u).max()", inner)
    assert wrong != port
    assert verify(original, wrong, options)["f"].verdict is Verdict.DIFFERS
