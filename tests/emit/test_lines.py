"""Lines that are put into a file are as long as its own."""

from __future__ import annotations

import pytest

from gpuport.emit.lines import room
from gpuport.source.reading import parse


@pytest.mark.parametrize(
    ("line", "longest"),
    [
        ("x = 1", 88),
        ("x = " + "1" * 96, 100),
        ("x = " + "1" * 196, 120),
        ("# " + "-" * 96, 88),
    ],
)
def test_as_long_as_the_longest_line_of_code(line: str, longest: int) -> None:
    assert room(parse("m.py", f"import numpy as np\n{line}\n")) == longest
