"""What comes back from the device is what NumPy gives, or a finding says where it is not."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return np.cov(x)", True),
        ("c = np.cov(np.exp(x))\n    return c, x * 2.0", True),
        ("return np.cov(x - x.mean(axis=1, keepdims=True))", False),
        ("return np.cov(x, np.exp(x))", False),
        ("return np.sort(x)", False),
        ("return np.dot(x, x)", False),
        ("w = np.where(x[0] > 1, x[1], 2.0)\n    return np.sin(x), w", True),
        ("return np.sin(x), np.where(2 * x[0] > 1, 3, 4)", True),
        ("return np.sin(x), np.where(x > 1, x[0], 2.0)", False),
        ("w = np.where(x > 1, 1, 2)\n    return np.sin(x), w", False),
    ],
)
def test_an_array_that_may_have_no_dimension_is_told(body: str, told: bool):
    text = f"import numpy as np\n\n\ndef f(x):\n    {body}\n"
    report = port_module(parse("f.py", text), Config())
    assert report.after is not None
    found = [one for one in report.findings if one.code == "GP515"]
    assert any("NumPy scalar" in one.message for one in found) is told
