"""Comparisons that moved constants and statements alone turn: these explain no deviation."""

from __future__ import annotations

from typing import Any

from gpuport.verify.records import Verdict

GRID = """
def f(n: int):
    xs = np.linspace(0.0, 1.0, abs(n) + 2)
    inner = ~((xs == 0) | (xs == 1))
    return np.exp(xs) / (inner.sum() + 1)
"""


def port_of(text: str) -> str:
    return text.replace("np.exp", "cp.exp").replace("np.linspace", "cp.linspace")


def test_the_end_of_a_grid_is_where_it_is(verify: Any) -> None:
    port = port_of(GRID).replace("return ", "return cp.asnumpy(").replace("+ 1)", "+ 1))")
    assert verify(GRID, port)["f"].verdict is Verdict.EQUIVALENT
    found = verify(GRID, port.replace("inner.sum()", "inner.sum() + 0.25"))["f"]
    assert found.verdict is Verdict.DIFFERS, found


def test_a_comparison_that_rounding_turns_proves_nothing(verify: Any) -> None:
    original = GRID.replace("xs == 1", "np.log(np.exp(xs)) == 1")
    port = port_of(original).replace("return ", "return cp.asnumpy(").replace("+ 1)", "+ 1))")
    port = port.replace("np.log(", "cp.log(").replace(
        "cp.exp(xs)) ==", "cp.exp(xs) * (1 + 2e-16)) =="
    )
    assert not verify(original, port)["f"].verdict.failing


def test_what_rounding_moves_on_the_same_course_is_explained(verify: Any) -> None:
    original = """
    def f(n: int):
        xs = np.linspace(0.0, 1.0, n + 2)
        total = np.zeros(n + 2)
        for k in range(12):
            total = total * 3.9 * (1.0 - total) + xs * 0.1 * (xs != 1)
        return total
    """
    port = original.replace("np.linspace", "cp.linspace").replace("np.zeros", "cp.zeros")
    port = port.replace("total * 3.9 * (1.0 - total)", "3.9 * (total - total * total)")
    port = port.replace("return total", "return cp.asnumpy(total)")
    found = verify(original, port)["f"]
    assert not found.verdict.failing, found
