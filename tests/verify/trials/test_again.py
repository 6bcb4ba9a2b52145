"""What differs is replayed in a fresh process before it is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict

ORIGINAL = "def f(x: np.ndarray):\n    return np.sin(x)\n"
COUNTING = """
@device("x")
def f(x: np.ndarray):
    math.calls = getattr(math, "calls", 0) + 1
    return cp.sin(x) + (math.calls == 20)
"""
KEPT = """
_KEPT = {}

def f(x: np.ndarray):
    y = _KEPT.setdefault((x.shape, x.dtype), np.sin(x))
    y[...] = cp.asnumpy(cp.sin(cp.asarray(x)))
    return y
"""


def test_what_does_not_show_again_is_no_difference(verify: Any) -> None:
    found = verify(ORIGINAL, COUNTING)["f"]
    assert found.verdict is Verdict.UNTESTED, found
    assert "did not show again in a fresh process (result: value" in found.reason
    assert found.counterexample is None


@pytest.mark.parametrize("said", ["printed", "memory"])
def test_the_test_that_is_kept_fails_as_the_verdict_says(
    said: str, verify: Any, tmp_path: Path
) -> None:
    port = KEPT
    original = ORIGINAL
    if said == "printed":
        original = "def f(x: np.ndarray):\n    print(x.shape)\n    return np.sin(x)\n"
        port = original.replace("print(x.shape)", "print(x.ndim)")
    found = verify(original, port)["f"]
    assert found.verdict is Verdict.DIFFERS, found
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*replay, str(found.counterexample.test)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert said in done.stdout
