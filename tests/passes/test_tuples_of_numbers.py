"""Lists of tuples of numbers that become one array: none of the device beside one of the host."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def measures(amounts, levels):
    order = np.sort(amounts)
    tail = np.cumsum(order[::-1])
    found = []
    for level in levels:
        k = int(np.ceil(level * order.size)) - 1
        found.append({item})
    return np.array(found)


print(measures(np.random.default_rng(0).random(100), (0.9, 0.99)).tolist())
"""


def printed(text: str) -> str:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    return stream.getvalue()


@pytest.mark.parametrize(
    "item",
    [
        "(order[k], tail[order.size - k - 1] / (order.size - k))",
        "(order[k], tail[k], np.log(k + 1.0))",
        "[tail[k] / k, order[k]]",
        "((order[k], order[0]), (tail[k] / k, order[1]))",
    ],
)
def test_they_are_all_of_one_side(item: str, emulated: Any) -> None:
    text = PROGRAM.format(item=item)
    after = port(text).after
    assert printed(after or text) == printed(text)
