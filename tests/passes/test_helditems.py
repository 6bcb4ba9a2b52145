"""Items of dicts and tuples get names of their own where loops that read them become kernels."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

STACK = """
import numpy as np


def stack(x, w, out):
    first, second = w[0], w[1]
    for i in range(len(x)):
        {body}
    return out + first * second


x = np.linspace(0.0, 1.0, 50000)
print(stack(x, {w}, np.zeros(50000)).sum())
"""


@pytest.mark.parametrize(
    ("body", "w", "lines"),
    [
        ("out[i] = w[0] * x[i] + w[1]", "(0.5, 2.0)", ["w_0 = w[0]", "w_1 = w[1]"]),
        ("out[i] = w[1] * x[i] if x[i] > 0.5 else 0.0", "(0.5, 2.0)", ["w_1 = w[1]"]),
        ("out[i] = w[2] * x[i] if x[i] > 2.0 else 0.0", "(0.5, 2.0, 3.0)", []),
        ("out[i] = w[0] * x[i] * len(w)", "(0.5, 2.0)", []),
        ("out[i] = w[0] * x[i] + w[1]", "[0.5, 2.0]", []),
    ],
)
def test_items_of_tuples(body: str, w: str, lines: list[str]):
    after = port(STACK.format(body=body, w=w)).after or ""
    for line in lines:
        assert f"\n    {line}\n" in after
    assert ("@kernel(" in after) is bool(lines)


BUS = """
import numpy as np


def run(bus, other, n):
    total = bus["p"].sum() + bus["q"].sum() + bus["gain"]
    out = np.zeros(n)
    for i in range(n):
        {body}
    return out.sum() * total


bus = {{"p": np.linspace(0.0, 1.0, 50000), "q": np.ones(50000), "gain": 2.5, "kind": np.arange(9)}}
print(run(bus, {{"p": np.zeros(3)}}, 50000))
"""


@pytest.mark.parametrize(
    ("body", "is_kernel"),
    [
        ("out[i] = bus['p'][i] * bus['gain'] + bus['q'][i]", True),
        ("bus['q'][i] = bus['p'][i] * bus['gain']", True),
        ("out[i] = bus['kind'][i % 9] if bus['p'][i] > 2.0 else 0.0", False),  # it may have none
        ("bus['p'] = bus['q']; out[i] = bus['p'][i]", False),
        ("other['p'] = bus['q']; out[i] = bus['p'][i]", False),  # both may be one dict
        ("out[i] = bus['p'][i]; other.update(p=bus['q'])", False),
    ],
)
def test_items_of_dicts(body: str, is_kernel: bool):
    after = port(BUS.format(body=body)).after or ""
    assert ("@kernel(" in after and "    p = bus[" in after) is is_kernel
