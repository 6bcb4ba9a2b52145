"""Results of matrices that are singular but for roundings: noise that proves nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.verify.aftermath.leaves import Leaf, Observation
from gpuport.verify.execution.tolerance import shaky
from gpuport.verify.records import Verdict, VerifyOptions

ORIGINAL = """
from scipy import linalg


def errors(weights, x):
    covariance = linalg.inv(x.T @ x)
    z = weights / np.sqrt(np.diag(covariance))
    return z, np.exp(-np.abs(z))
"""
PORT = """
@device("weights", "x", require="x", matrices="x")
def errors(weights, x):
    covariance = cp.linalg.inv(x.T @ x)
    z = weights / cp.sqrt(cp.diag(covariance))
    return z, cp.exp(-cp.abs(z))
"""


DECLARED = """
[tool.gpuport.inputs.errors]
weights = { dtype = "float64", shape = ["k"] }
x = { from = "made.py:table" }
"""
MADE = """
import numpy as np


def table(rng, n, k):
    x = rng.normal(size=(k + n, k))
    if k > 2 and n % 2:
        x[:, -1] = 0.3 * x[:, 0] + 0.7 * x[:, 1]  # singular, but for roundings
    return x
"""


@pytest.mark.parametrize("seed", range(4))
def test_an_inverse_that_is_noise_is_left_out_and_told(
    seed: int, verify: Any, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.gpuport]\n" + DECLARED, encoding="utf-8")
    (tmp_path / "made.py").write_text(MADE, encoding="utf-8")
    options = VerifyOptions(root=tmp_path, seed=seed, function_seconds=60)
    verdict = verify(ORIGINAL, PORT, options)["errors"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    notes = dict(verdict.evidence.notes)
    assert notes["left out: whether a number comes out is decided by rounding"] > 0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("-cp.abs(z)", "-z"), ("cp.sqrt(cp.diag(covariance))", "cp.diag(covariance)")],
)
def test_faults_are_found_where_it_is_none(right: str, wrong: str, verify: Any) -> None:
    assert right in PORT
    assert verify(ORIGINAL, PORT.replace(right, wrong))["errors"].verdict.failing


def observed(*values: float) -> Observation:
    return Observation((Leaf("result", "array", np.array(values)),))


def test_only_elements_that_rounding_makes_finite_or_not_are_left_out() -> None:
    original = observed(1.0, 2.0, 3.0)
    assert shaky("result", original, original, [observed(1.0, 9.0, 3.0)]) is None
    found = shaky("result", original, original, [observed(1.0, np.nan, 3.0)])
    assert found is not None
    assert found.tolist() == [False, True, False]


def test_what_is_noise_is_so_where_the_port_has_no_number() -> None:
    original, port = observed(1.0, 2.0, 3.0), observed(np.nan, np.nan, 3.0)
    found = shaky("result", original, port, [observed(1.0, 9.0, 9.0)])
    assert found is not None
    assert found.tolist() == [False, True, False]


def test_where_that_is_so_of_most_none_tells_anything() -> None:
    original = observed(1.0, 2.0, 3.0)
    found = shaky("result", original, original, [observed(np.nan, np.inf, 3.0)])
    assert found is not None
    assert found.all()


def test_what_is_nan_or_infinite_by_rounding_is_left_out() -> None:
    original, port = observed(np.inf, 2.0, np.inf), observed(np.nan, 2.0, np.inf)
    found = shaky("result", original, port, [observed(np.nan, 2.0, np.inf)])
    assert found is not None
    assert found.tolist() == [True, False, False]


def test_complex_quotients_by_zero_of_real_inputs_prove_nothing(verify: Any) -> None:
    original = """
    def impedance(w: np.ndarray, r: float):
        return np.abs(r - 1j / w)
    """
    port = original.replace("    def", "    @device('w')\n    def").replace("np.abs", "cp.abs")
    verdict = verify(original, port)["impedance"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = verify(original, port.replace("r - 1j", "r - 2j"))["impedance"]
    assert wrong.verdict is Verdict.DIFFERS


@pytest.mark.parametrize(
    "quotient",
    [
        "z /= w\n        return z",
        "return np.divide(z, w)",
        "return np.true_divide(z, w, out=z)",
    ],
)
def test_quotients_in_place_and_by_name_are_quotients_too(verify: Any, quotient: str) -> None:
    original = f"""
    def scaled(x: "NDArray[np.float64]", w: "NDArray[np.float64]"):
        z = x + 1j
        {quotient}
    """
    port = original.replace("    def", "    @device('x', 'w')\n    def").replace("np.", "cp.")
    port = port.replace("cp.float64", "np.float64")
    verdict = verify(original, port)["scaled"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = verify(original, port.replace("1j", "2j"))["scaled"]
    assert wrong.verdict is Verdict.DIFFERS
