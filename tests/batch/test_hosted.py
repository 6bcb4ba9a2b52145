"""Eigenvalues of general matrices: NumPy's own, for one transfer there and one back."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.host.counters import count
from gpuport.passes.port import port_module
from gpuport.runtime import batched
from gpuport.source.reading import parse

TURN = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Eigenvalues i and -i."""


def port(body: str) -> str:
    """The port of a function that makes matrices on the device and asks for their eigenvalues."""
    text = "import numpy as np\n\n\ndef f(a: np.ndarray):\n"
    text += "    ms = [np.linalg.inv(x) @ x.T for x in a]\n" + body
    report = port_module(parse("m.py", text), Config())
    assert report.after is not None
    return report.after


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("    return [np.linalg.eigvals(m) for m in ms]\n", "return batched.eigvals(ms)"),
        ("    return {i: np.linalg.eigvals(m) for i, m in enumerate(ms)}\n",
         "return dict(enumerate(batched.eigvals(ms)))"),
        ("    w = []\n    for m in ms:\n        w.append(np.linalg.eigvals(m))\n    return w\n",
         "w.extend(batched.eigvals(ms))"),
    ],
)  # fmt: skip
def test_a_loop_that_asks_for_eigenvalues_is_one_call(body, line) -> None:
    assert line in port(body)


def test_what_else_a_loop_does_keeps_it_and_the_reason_says_what_helps() -> None:
    text = "import numpy as np\n\n\ndef f(a: np.ndarray):\n    r = []\n    for x in a:\n"
    text += "        w = np.linalg.eigvals(np.linalg.inv(x) @ x.T)\n        r.append(w.max())\n"
    report = port_module(parse("m.py", text + "    return r\n"), Config())
    (said,) = (one.message for one in report.findings if one.code == "GP301")
    assert "collect" in said
    assert "batched.eigvals" in said


@pytest.mark.parametrize("name", ["eig", "eigvals"])
def test_results_are_numpys_real_or_complex_by_the_values_of_each_matrix(cp, name) -> None:
    rng = np.random.default_rng(2)
    ms = [np.eye(2) * 2, TURN, rng.normal(size=(3, 3)), TURN.astype("f"), np.diag([1.0, 2.0])]
    found = getattr(batched, name)([cp.asarray(m) for m in ms])
    for one, m in zip(found, ms, strict=True):
        expected = getattr(np.linalg, name)(m)
        one, expected = (x if isinstance(x, tuple) else (x,) for x in (one, expected))
        for part, other in zip(one, expected, strict=True):
            assert isinstance(part, cp.ndarray)
            assert part.dtype == other.dtype
            np.testing.assert_array_equal(cp.asnumpy(part), other)


def test_matrices_of_one_shape_cross_together(cp) -> None:
    ms = [cp.asarray(np.random.default_rng(k).normal(size=(4, 4))) for k in range(30)]
    with count() as counted:
        batched.eigvals(ms)
    assert counted.d2h == 1
    assert counted.h2d <= 2  # real ones and complex ones


def test_of_none_there_are_none(cp) -> None:
    assert batched.eig([]) == []
    assert batched.eigvals(cp.zeros((0, 3, 3))) == []


def test_nan_raises_as_numpy_does(cp) -> None:
    with pytest.raises(np.linalg.LinAlgError):
        batched.eigvals([cp.eye(2), cp.full((2, 2), cp.nan)])
