"""Arrays in a list or tuple that a function of the host reads and does not keep."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np

pos = np.linspace(0.1, 0.9, 4000).reshape(-1, 2)
x, y = pos.T
for step in range(30):
    pos += 0.01 * np.sin(pos)
    pos *= 1 + 0.01 * np.cos(pos)
{line}
print(pos.sum())
"""


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("i = np.lexsort((y > 0, x))", "np.lexsort((cp.asnumpy(y > 0), cp.asnumpy(x)))"),
        ("i = np.lexsort([y, x < 1])", "np.lexsort([cp.asnumpy(y), cp.asnumpy(x < 1)])"),
        ('np.savetxt("xy.txt", [x, y])', '("xy.txt", [cp.asnumpy(x), cp.asnumpy(y)])'),
        ("print([x, x, y, x, y])", "print([cp.asnumpy(value) for value in ([x, x, y, x, y])])"),
    ],
)
def test_they_are_brought_back_and_stay_on_the_device(line: str, after: str):
    made = port(BODY.format(line=line)).after or ""
    assert "pos = cp.linspace" in made
    assert after in made


def test_arrays_that_a_view_of_is_given_back_stay_with_it():
    line = "a, b = np.broadcast_arrays(*(x, y))\na += 1"
    assert "pos = cp.linspace" not in (port(BODY.format(line=line)).after or "")


ROWS = """\
import numpy as np


def run(n, columns):
    y = np.zeros((n, columns))
    {store}
    for k in range(1, n):
        y[k] = np.exp(np.sin(y[k - 1]))
    return y


print(run(5, 4))
"""


@pytest.mark.parametrize(
    ("store", "after"),
    [
        ("y[0] = [0, 0, -1, 0.5]", "y[0] = cp.asarray([0, 0, -1, 0.5])"),
        ("y[1, :2] = 1, 2.5", "y[1, :2] = cp.asarray((1, 2.5))"),
        ("y[:2] = [[1, 2, 3, 4], [0.5, 6, 7, 8]]", "y[:2] = cp.asarray([[1, 2, 3, 4], [0.5,"),
        ("y[0] = [0, 0, None, 0.5]", "y = np.zeros((n, columns))"),
    ],
)
def test_rows_that_are_written_out_are_stored_on_the_device(store: str, after: str):
    assert after in (port(ROWS.format(store=store)).after or ROWS)


JOINED = """\
import numpy as np


def lengths(x: np.ndarray):
    y = np.exp(x) * 2
    z = {joined}
    return np.sqrt(z).sum(axis=0)
"""


@pytest.mark.parametrize(
    ("joined", "after"),
    [
        ("np.vstack([[[0.0, 1.0]], y])", "cp.vstack([cp.asarray([[0.0, 1.0]]), y])"),
        (
            "np.concatenate(([0.0], y, [1.0]))",
            "cp.concatenate((cp.zeros(1), y, cp.ones(1)))",
        ),
    ],
)
def test_numbers_that_are_written_out_among_arrays(joined: str, after: str):
    assert f"z = {after}" in (port(JOINED.format(joined=joined)).after or "")


def test_what_a_comprehension_makes_crosses_in_it():
    made = port("""\
import numpy as np

x = np.linspace(0.0, 1.0, 200_000)
parts = {k: np.cos(k * x) * np.exp(-x) for k in range(5)}
print([v.sum() for v in parts.values()], {k: v.mean() for k, v in parts.items()})
np.savez("parts.npz", **{f"part{k}": v for k, v in parts.items()})
""").after
    assert made is not None
    assert "print([cp.asnumpy(v.sum())[()] for v in parts.values()]" in made
    assert "{k: cp.asnumpy(v.mean())[()] for k, v in parts.items()}" in made
    assert '**{f"part{k}": cp.asnumpy(v) for k, v in parts.items()}' in made
