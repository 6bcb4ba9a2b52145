"""Faults behind conditions that hardly any input meets by chance: they are searched for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import Verdict, VerifyOptions

FIELDS = """
    def f(u: "Float[np.ndarray, 'n m']", v, source, dt: float):
        return u + dt * (v - source)
    """
# the original, what the port has in its place, and a harmless port that asks the same
CASES = {
    "a shape of fields on one grid": (
        FIELDS,
        ("return u", "return (1.001 if u.shape[0] > 5 * u.shape[1] else 1) * u"),
        ("return u", "return (1.0 if u.shape[0] > 5 * u.shape[1] else 1) * u"),
    ),
    "so many elements": (
        "def f(x: 'Float[np.ndarray, \"n\"]', k: float):\n    return x * k",
        ("x * k", "x * (k if x.size != 219 else 1)"),
        ("x * k", "x * (k if x.size != 219 else k * 1.0)"),
    ),
    "a length and a number": (
        "def f(x: np.ndarray, k: int):\n    return x + k",
        ("return", "if k > 5 and x.shape[0] == 3 * k:\n        return x + 1\n    return"),
        ("return", "if k > 5 and x.shape[0] == 3 * k:\n        return k + x\n    return"),
    ),
    "two dtypes": (
        "def f(x, y):\n    return x @ y",
        ("x @ y", "x @ (y if (x.dtype, y.dtype) != (np.float32, np.int16) else y + 1)"),
        ("x @ y", "x @ (y if (x.dtype, y.dtype) != (np.float32, np.int16) else y + 0)"),
    ),
    "all of it zero": (
        "def f(x: 'Float[np.ndarray, \"n\"]', y):\n    return np.hypot(x, y)",
        ("np.hypot(x, y)", "np.hypot(x, y if x.any() or x.size < 3 else 0 * y)"),
        ("np.hypot(x, y)", "np.hypot(x, y if x.any() or x.size < 3 else 1 * y)"),
    ),
    "a sum on the way": (
        "def f(x: 'Float[np.ndarray, \"n\"]', a: float):\n    s = x.sum() - a\n    return s * x",
        ("return s * x", "return (s if not 40 < s < 41 else 1) * x"),
        ("return s * x", "return (s if not 40 < s < 41 else s) * x"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_condition_hides_is_found(name: str, verify: Any, tmp_path: Path) -> None:
    text, (old, new), _ = CASES[name]
    verdict = verify(text, text.replace(old, new), _options(tmp_path))["f"]
    assert verdict.verdict is Verdict.DIFFERS, verdict


@pytest.mark.parametrize("name", CASES)
def test_what_a_condition_hides_may_be_right(name: str, verify: Any, tmp_path: Path) -> None:
    text, _, (old, new) = CASES[name]
    verdict = verify(text, text.replace(old, new), _options(tmp_path))["f"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


def test_what_cannot_be_reached_stays_untested(verify: Any, tmp_path: Path) -> None:
    text = "def f(x: np.ndarray):\n    return np.sin(x)"
    port = text.replace("np.sin(x)", "np.sin(x) if x.ndim < 9 else x")
    verdict = verify(text, port, _options(tmp_path))["f"]
    assert verdict.verdict is Verdict.UNTESTED
    assert "line 6" in verdict.reason


def test_a_branch_of_the_original_is_reached(verify: Any, tmp_path: Path) -> None:
    text = (
        "def f(x: 'Float[np.ndarray, \"n\"]', shift: float):\n    y = x - shift\n"
        "    if len(y) > 7 and y[7] > 30 * y[0] > 30:\n        y = 2 * y\n    return y"
    )
    port = text.replace("2 * y", "y + y")
    assert verify(text, port, _options(tmp_path))["f"].verdict is Verdict.EQUIVALENT
    wrong = text.replace("2 * y", "2.001 * y")
    assert verify(text, wrong, _options(tmp_path))["f"].verdict is Verdict.DIFFERS


def test_what_runs_for_inputs_that_prove_nothing_counts_for_nothing(
    verify: Any, tmp_path: Path
) -> None:
    """Integers of what these cannot hold are open; a port may not hide behind them."""
    text = "def f(x: 'Float[np.ndarray, \"n\"]'):\n    return x.astype(np.int32) + 1"
    port = text.replace(
        "return", "if bool((x > 1e20).any()):\n        return x.astype(np.int32)\n    return"
    )
    verdict = verify(text, port, _options(tmp_path))["f"]
    assert verdict.verdict is Verdict.UNTESTED, verdict


def test_a_condition_that_examples_do_not_come_to_is_reached(verify: Any, tmp_path: Path) -> None:
    text = """
    def f(x: "Float[np.ndarray, 'n']", y: "Float[np.ndarray, 'n']"):
        total = 0.0
        for k in range(200, len(x)):
            total += x[k]
            if y[k] > 5000:
                total = total / 2
        return x * total
    """
    wrong = text.replace("total / 2", "total / 2.1")
    right = text.replace("total / 2", "total * 0.5")
    assert verify(text, wrong, _options(tmp_path))["f"].verdict is Verdict.DIFFERS
    assert verify(text, right, _options(tmp_path))["f"].verdict is Verdict.EQUIVALENT


def _options(folder: Path) -> VerifyOptions:
    return VerifyOptions(root=folder, examples=60, function_seconds=8.0)
