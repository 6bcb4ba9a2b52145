"""Dtypes that kernels are made for where nothing says what the arrays are."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

SPARSE = """import numpy as np

def product(ends, columns, data, x):
    y = np.zeros(len(ends) - 1)
    for i in range(len(y)):
        acc = 0.0
        for k in range(ends[i], ends[i + 1]):
            acc += data[k] * x[columns[k]]
        y[i] = acc
    return y
"""


def test_ends_of_ranges_are_whole_numbers() -> None:
    """Python takes no floating ones there: a kernel for these would never run."""
    after = port_module(parse("program.py", SPARSE), Config()).after
    assert after is not None
    assert '"raw int64 ends, raw ' in after
    assert "raw int64 columns" in after


STEPS = """import numpy as np

def step(board):
    n, m = board.shape
    new = np.zeros_like(board)
    for i in range(n):
        for j in range(m):
            new[i, j] = board[i - 1, j] ^ board[i, j - 1]
    return new

def flip(spins, rand):
    for i in range(spins.shape[0]):
        for j in range(spins.shape[1]):
            if rand[i, j] < 0.5:
                spins[i, j] = -spins[i, j]
    return spins

def look_up(image, table):
    out = np.empty_like(image)
    for r in range(image.shape[0]):
        for c in range(image.shape[1]):
            out[r, c] = table[image[r, c]]
    return out

def blend(weights, rows):
    out = np.zeros_like(rows)
    for i in range(len(rows)):
        for j in range(len(weights)):
            out[i] += weights[j] * rows[j]
    return out

def main():
    rng = np.random.default_rng(0)
    board = (rng.random((20, 22)) < 0.4).astype(int)
    for _ in range(5):
        board = step(board)
    print(board.sum())
    spins = rng.choice([-1, 1], size=(16, 16))
    for _ in range(5):
        spins = flip(spins, rng.random((16, 16)))
    print(spins.sum())
    print(look_up(rng.integers(0, 9, size=(8, 9)).astype(np.uint8), np.arange(9.0)).sum())
    print(blend(rng.random(6), rng.random((6, 4))).sum())

main()
"""


def test_calls_that_leave_it_open_do_not_hide_what_others_tell() -> None:
    """What a function gives for its own result is of a type that only its calls tell."""
    after = port_module(parse("program.py", STEPS), Config()).after
    assert after is not None
    assert '    "raw int64 board, int n, int m",\n    "raw int64 new",\n' in after
    assert '    "raw float64 rand",\n    "raw int64 spins",\n' in after
    assert '    "raw float64 table, raw uint8 image",\n    "raw uint8 out",\n' in after
    assert "_blend(" in after
