"""A function that makes arrays has its statements in the kernel of the loop that calls it."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def solve(d):
    n = {length}
    x = np.empty(n)
    x[0] = d[0]
    for i in range(1, n):
        x[i] = 0.5 * x[i - 1] + d[i]
    return x


def columns(u: np.ndarray):
    out = np.zeros((u.shape[0], u.shape[1]))
    for j in range(u.shape[1]):
        {given}
        out[:, j] = solve(d)
    return out


if __name__ == "__main__":
    print(columns(np.sin(np.arange(12.0).reshape(3, 4))).sum())
"""


@pytest.mark.parametrize("length", ["len(d)", "d.shape[0]", "d.size"])
@pytest.mark.parametrize("given", ["d = u[:, j].copy()", "d = u[:, j]"])
def test_it_is_written_out_there(length: str, given: str):
    if length == "d.size" and "copy" not in given:
        pytest.skip("the size of a part is not followed")
    made = port(BODY.format(length=length, given=given)).after or ""
    kernel = made[made.find("@kernel(") : made.find("def columns")]
    assert "x_work[" in kernel
    assert "out[{" in kernel


LIKE = """\
import numpy as np


def filtered(v):
    y = {made}
    y[0] = 0.2 * v[0]
    for k in range(1, len(v)):
        y[k] = 0.2 * v[k] + 0.6 * y[k - 1]
    return y


def rows(x: np.ndarray):
    out = np.zeros((8, x.shape[1]))
    for t in range(8):
        out[t] = filtered(x[t])
    return out


if __name__ == "__main__":
    print(rows(np.sin(np.arange(48.0).reshape(8, 6))).sum())
"""


@pytest.mark.parametrize(
    "made", ["np.empty_like(v)", "np.zeros(v.shape)", "np.ones(v.shape, dtype=v.dtype)", "v.copy()"]
)
def test_arrays_that_are_made_like_a_row(made: str):
    text = port(LIKE.format(made=made)).after or ""
    kernel = text[text.find("@kernel(") : text.find("def rows")]
    assert "y_work[" in kernel
    assert "out[{" in kernel


def test_arrays_that_are_made_like_each_other():
    text = "import numpy as np\n\n\ndef f(a: np.ndarray, x: np.ndarray):\n"
    text += "    for i in range(len(a)):\n        new = np.zeros_like(x)\n"
    text += "        new[0] = a[i]\n        x = new\n    return x\n"
    assert port(text).error is None
