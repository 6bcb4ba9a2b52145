"""A loop that stays in Python reads a copy of what a kernel works on, where that is the same."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np


def scale(a, k):
    a[k:] *= 0.5


def smooth(n):
    x = np.linspace(0.0, 3.0, n)
    y = np.zeros(n)
    {other}
    level = 0.0
    for step in range(4):
        for i in range(n):
            y[i] = np.sin(x[i] + step) + y[i]
        for i in range(n):
            {body}
    return y, level


if __name__ == "__main__":
    y, level = smooth(40)
    print(y.sum(), level)
"""

SERIAL = "level = 0.5 * level + y[i] if y[i] > level else level - x[i]"
ALSO = f"{SERIAL}\n            "


@pytest.mark.parametrize(
    ("other", "body", "read"),
    [
        ("", SERIAL, {"x", "y"}),
        ("", f"{ALSO}level += len(y) / y.size", {"x", "y"}),
        ("", f"{ALSO}y[i] = level", set()),
        ("tail = y[1:]", f"{ALSO}tail[0] = level", set()),
        ("", f"{ALSO}scale(y, i)", set()),
        ("", f"{ALSO}level += y[:i].sum()", set()),
        ("", f"{ALSO}y, x = x, y", set()),
        ("", f"{ALSO}yield level", set()),
        ("later = []", f"{ALSO}later.append(lambda: y[0])", set()),
    ],
)
def test_elements_are_read_of_a_copy_that_stays_the_same(other: str, body: str, read: set[str]):
    made = port(BODY.format(other=other, body=body)).after or ""
    copies = {name for name in ("x", "y") if f"        {name}_on_host = cp.asnumpy({name})" in made}
    assert copies == read
    assert ("@kernel(" in made) is bool(read) or not read
    if "y" in read:
        assert (
            "0.5 * level + y_on_host[i] if y_on_host[i] > level else level - x_on_host[i]" in made
        )


def test_no_copy_is_made_where_no_kernel_gains_by_it():
    text = "import numpy as np\n\n\ndef f(n):\n    x = np.cos(np.arange(n))\n    s = 0.0\n"
    text += "    for i in range(n):\n        s = 0.5 * s + x[i] if x[i] > s else s\n    return s\n"
    assert "on_host" not in (port(text).after or "")


FED = """\
import numpy as np


def cheapest(energy):
    cost = energy.copy()
    n, m = cost.shape
    back = np.zeros((n, m), dtype=np.int8)
    for i in range(1, n):
        wide = np.pad(cost[i - 1], 1, constant_values=np.inf)
        around = np.stack([wide[:-2], wide[1:-1], wide[2:]])
        back[i] = around.argmin(axis=0) - 1
        cost[i] += around.min(axis=0)
    path = np.zeros(n, dtype=int)
    for i in range(n - 1, 0, -1):
        path[i - 1] = path[i] + back[i, path[i]]
    return path


print(cheapest(np.abs(np.sin(np.arange(120.0).reshape(10, 12) ** 2))))
"""


def test_what_is_filled_on_the_device_is_read_of_one_copy_by_the_loop_behind():
    made = port(FED).after or ""
    assert "        back[i] = around.argmin(axis=0) - 1" in made
    assert "    back_on_host = cp.asnumpy(back)\n    for i in range(n - 1, 0, -1):" in made
    assert "path[i] + back_on_host[i, path[i]]" in made
