"""What copies is no view: what is done to the copy is not done to the argument."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def unit(q: np.ndarray, keep=None):
    v = {made}
    v[1:] *= -1.0
    return v / np.dot(v, v)
"""


@pytest.mark.parametrize(
    "made", ["np.array(q)", "np.array(q, dtype=float, copy=True)", "q.astype(float)"]
)
def test_a_copy_that_is_changed_is_not_written_back(made: str):
    assert '@device("q")\n' in (port(BODY.format(made=made)).after or "")


@pytest.mark.parametrize(
    "made",
    ["np.array(q, copy=None)", "np.array(q, float, copy=keep)", "q.astype(float, copy=False)"],
)
def test_what_may_be_a_view_is_written_back(made: str):
    assert 'writes="q")\n' in (port(BODY.format(made=made)).after or "")


def test_an_element_that_is_brought_back_is_a_copy_already():
    text = (
        "import numpy as np\n\n\ndef corner(n):\n"
        "    c = np.exp(np.arange(n * n).reshape(n, n) / 7)\n"
        "    for i in range(3):\n        c[i, 1:] = np.sin(c[i, :-1])\n"
        "    k = c[1, 2]\n    c[1, 2] = 3\n    print(f'{k!r}')\n    return c[0, n - 1], c\n\n\n"
        "for v in corner(5):\n    print(repr(v))\n"
    )
    after = port(text).after or ""
    assert "    k = cp.asnumpy(c[1, 2])[()]\n" in after
    assert "return cp.asnumpy(c[0, n - 1])[()], cp.asnumpy(c)" in after
