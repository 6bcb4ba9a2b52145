"""Running extremes of whole numbers that begin with a floating one are no scan of whole numbers."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np
from numpy.typing import NDArray

def top(a: NDArray[np.int64], out: NDArray[np.float64]):
    y = {first}
    for i in range(len(a)):
        y = max(y, a[i])
        out[i] = y
    return out
"""


@pytest.mark.parametrize(
    ("first", "told"),
    [("1.0", "begin with `1` or with the first element"),
     ("0.5", "begin with the first element"), ("1", None)],
)  # fmt: skip
def test_floating_starts_are_refused(first: str, told: str | None) -> None:
    report = port_module(parse("program.py", PROGRAM.format(first=first)), Config())
    messages = [f.message for f in report.findings if f.code == "GP201"]
    assert [m for m in messages if "begins as" in m and (told or "") in m] or told is None
    assert ("@kernel(" in (report.after or "")) == (told is None)
