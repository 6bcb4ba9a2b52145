"""Numbers stored at masks are handed over: the host does not wait for how many there are."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def f(x: np.ndarray, n: int, t: float, i: np.ndarray):
    A = np.linalg.inv(x) @ np.sin(x)
    m = A.min(axis=1) > 0.5
    for _ in range(n):
        {store}
    return A
"""


@pytest.mark.parametrize(
    ("store", "written"),
    [
        ("A[A < 0] = 0.0", "put_where(A, A < 0, 0.0)"),
        ("A[~m] = t", "put_where(A, ~m, t)"),
        ("A[m, :n] = 2 * t", "put_where(A, cp.s_[m, :n], 2 * t)"),
        ("A[:, m] = n", "put_where(A, cp.s_[:, m], n)"),
        ("A[A > A.max()] = t", "put_where(A, A > A.max(), t)"),
        ("A[m] = (t := 0.5)", None),
        ("A[m] = m[:n]", None),
        ("A[m] += 1.0", None),
        ("A[m, i] = 1.0", None),
        ("B = A[m] = 1.0", None),
        ("A[i] = 1.0", None),
    ],
)
def test_is_handed_over(store: str, written: str | None) -> None:
    report = port_module(parse("program.py", PROGRAM.format(store=store)), Config())
    assert report.after is not None
    assert (written or store) in report.after
    assert ("put_where" in report.after) == (written is not None)
    masks = [one for one in report.findings if one.code == "GP403" and "elements" in one.message]
    assert bool(masks) == (written is None and "m" in store)


def test_with_work_beside_it_is_a_kernel() -> None:
    report = port_module(
        parse("program.py", PROGRAM.format(store="A[A > A.max() / 2] = t")), Config()
    )
    assert "_f_A(A.max(), t, A)" in (report.after or "")


def test_what_happens_once_is_left_as_it_reads() -> None:
    text = PROGRAM.replace("for _ in range(n):", "if n:").format(store="A[A < 0] = 0.0")
    report = port_module(parse("program.py", text), Config())
    assert "A[A < 0] = 0.0" in (report.after or "")
