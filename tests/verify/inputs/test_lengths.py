"""Whole numbers that say how long an array is, and sizes beyond what a block holds."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.inputs.schedule import Schedule
from gpuport.verify.records import Verdict
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import Slot

RUNNING = """
class Running:
    def __init__(self, size: int):
        self.total = np.zeros(size)

    def update(self, x: np.ndarray):
        self.total += x
        return self.total.sum()
"""
RUNNING_PORT = """
class Running:
    def __init__(self, size: int):
        self.total = np.zeros(size)

    def update(self, x: np.ndarray):
        self.total += x
        return cp.asnumpy(cp.asarray(self.total).sum())[()]
"""
TABLE = """
def table(values: np.ndarray, weights: np.ndarray, rows: int, columns: int):
    out = np.zeros((rows, columns))
    out[:, 0] = weights
    out += values
    return out
"""
TABLE_PORT = """
@device("values", "weights")
def table(values: np.ndarray, weights: np.ndarray, rows: int, columns: int):
    out = cp.zeros((rows, columns))
    out[:, 0] = weights
    out += values
    return out
"""


@pytest.mark.parametrize(
    ("original", "port", "function", "right", "wrong"),
    [
        (RUNNING, RUNNING_PORT, "Running.update", ".sum())[()]", "[:8].sum())[()]"),
        (TABLE, TABLE_PORT, "table", "out[:, 0] = weights", "out[:, -1] = weights"),
    ],
)
def test_a_number_that_is_a_size_is_found(
    original: str, port: str, function: str, right: str, wrong: str, verify: Any
) -> None:
    assert right in port
    assert verify(original, port)[function].verdict is Verdict.EQUIVALENT
    assert verify(original, port.replace(right, wrong))[function].verdict.failing


def drawn(*ranks: int) -> list[dict[str, int]]:
    slots = tuple(
        Slot(f"x{k}", "array", None, tuple(f"x{k}.{axis}" for axis in range(rank)))
        for k, rank in enumerate(ranks)
    )
    groups = tuple((name,) for slot in slots for name in slot.dims)
    schedule = Schedule(Signature("f", 1, ()), [Template(slots, None, groups)], 100, 0)
    return [dict(trial.sizes) for trial, _ in zip(schedule.trials(), range(100), strict=False)]


def test_one_axis_of_many_is_larger_than_a_block_now_and_then() -> None:
    sizes = drawn(2, 2)
    assert any(max(some.values()) >= 257 for some in sizes)
    assert all(sum(n > 40 for n in some.values()) <= 1 for some in sizes)


def test_a_vector_is_longer_than_what_is_usually_launched() -> None:
    assert any(some["x0.0"] > 1024 for some in drawn(1))
