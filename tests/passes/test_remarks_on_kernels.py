"""The finding of a kernel says what is added up in another order, and how much that changes."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """import numpy as np

def work(x, k):
    h = np.zeros(4, dtype=x.dtype)
    y = np.empty_like(x)
    s = x[0] * 0
    for i in range(len(x)):
        {body}
    return s, h, y

if __name__ == '__main__':
    print(work(np.ones(99, dtype={dtype}), np.arange(99) % 4))
"""


@pytest.mark.parametrize(
    ("body", "dtype", "remark"),
    [
        ("s += x[i]", "np.float32", "`s` is added up in another order: float32 sums of n terms "
         "differ by about 6e-8 * sqrt(n) of the sum of the terms' sizes"),
        ("s = s + x[i]", "float", "float64 sums of n terms differ by about 1e-16 * sqrt(n)"),
        ("s *= x[i]", "np.float32", "`s` is multiplied in another order: float32 products"),
        ("h[k[i]] += x[i]", "float", "`h[k[i]]` is added up in another order: float64"),
        ("s += x[i]; y[i] = s", "float", "`s` is added up in another order: float64"),
        ("h[k[i]] = max(h[k[i]], x[i])", "float", "of zeros of both signs `h[k[i]]` becomes 0.0"),
    ],
)  # fmt: skip
def test_what_is_added_in_another_order(body: str, dtype: str, remark: str) -> None:
    found = port(TEXT.format(body=body, dtype=dtype))
    (told,) = [one.message for one in found.findings if one.code == "GP210"]
    assert remark in told


@pytest.mark.parametrize(
    ("body", "dtype"),
    [("s += x[i]", "int"), ("y[i] = x[i] * 2", "float"), ("s = max(s, x[i])", "float"),
     ("h[k[i]] = max(h[k[i]], x[i])", "int")],
)  # fmt: skip
def test_what_is_the_same_in_any_order(body: str, dtype: str) -> None:
    found = port(TEXT.format(body=body, dtype=dtype))
    (told,) = [one.message for one in found.findings if one.code == "GP210"]
    assert told == "this loop runs as the kernel `_work`"
