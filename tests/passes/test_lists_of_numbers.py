"""Lists of lists of numbers, which a parser fills, keep nothing made of them on the host."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def read(text):
    rows = []
    for line in text.splitlines():
        if line.startswith(">"):
            rows.append([])
        else:
            {filled}
    return np.array(rows)


def main():
    x = read(open("numbers.txt").read())
    for _ in range(10):
        x = np.exp(-x) * np.sqrt(x + 1.0)
    print(x.sum())


main()
"""


@pytest.mark.parametrize(
    "filled",
    [
        "rows[-1].extend(float(one) for one in line.split())",
        "rows[-1].extend([float(one) for one in line.split()])",
        "rows[-1].append(float(line))",
    ],
)
def test_what_is_made_of_them_is_moved(filled: str) -> None:
    report = port(PROGRAM.format(filled=filled))
    assert "x = cp.asarray(read(" in (report.after or "")
    assert not [one for one in report.findings if one.code == "GP902"]
