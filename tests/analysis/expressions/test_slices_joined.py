"""A slice and a tuple of slices are both an index that picks a part: `np.s_` in a loop's tuple."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def neighbours(x: np.ndarray[tuple[int, int], np.dtype[np.float64]]):
    right = np.abs(x[:, 1:] - x[:, :-1])
    down = np.abs(x[1:] - x[:-1])
    total = np.zeros(x.shape)
    for difference, a, b in ((right, np.s_[:, :-1], np.s_[:, 1:]), (down, np.s_[:-1], np.s_[1:])):
        for part in (a, b):
            total[part] += np.where(difference < 1.0, difference, 0.0)
    return np.sqrt(total)

def main():
    x = np.random.default_rng(1).normal(size=(300, 200))
    print(neighbours(np.exp(x) @ np.exp(x.T)).sum())

main()
"""


def test_what_they_pick_stays_on_the_device() -> None:
    report = port_module(parse("program.py", PROGRAM), Config())
    text = report.after
    assert "total = cp.zeros(x.shape)" in text
    assert "total[part] += cp.where(difference < 1.0, difference, 0.0)" in text
    assert "asnumpy" not in text
