"""Two rows that change places may be one row; three may not."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def swapped(A, B, k: int, p: int, q: int, i: np.ndarray, j: np.ndarray):
    A = np.linalg.inv(A) @ np.sin(A)
    {store}
    return A
"""


@pytest.mark.parametrize(
    ("store", "told"),
    [
        ("A[[k, p]] = A[[p, k]]", False),
        ("A[[k, p], :] = A[[p, k], :]", False),
        ("A[:, [k, p + 1]] = A[:, [p + 1, k]]", False),
        ("A[[k, p], q:] = A[[p, k], q:]", False),
        ("A[[k, p, q]] = A[[p, q, k]]", True),
        ("A[[k, p]] = A[[p, q]]", True),
        ("A[[k, p]] = A[[k, q]]", True),
        ("A[[k, p]] = B[[p, k]]", True),
        ("A[[k, p]] += A[[p, k]]", False),
        ("A[[k, p]] = 2 * A[[p, k]]", True),
        ("A[[k, p], [q, k]] = A[[p, k], [q, k]]", True),
        ("A[[k, p], :q] = A[[p, k], :k]", True),
        ("A[[i, j]] = A[[j, i]]", True),
        ("A[[k, next(c)]] = A[[next(c), k]]", True),
    ],
)
def test_the_last_is_looked_up(store: str, told: bool) -> None:
    report = port_module(parse("program.py", PROGRAM.format(store=store)), Config())
    refused = bool({f.code for f in report.findings} & {"GP502", "GP901"})
    assert (refused or "put_last(" in (report.after or "")) == told
    assert refused or (report.after is not None and "cp." in report.after)
