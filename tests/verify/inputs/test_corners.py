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
