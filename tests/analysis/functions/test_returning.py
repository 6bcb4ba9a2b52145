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
    ],
)
def test_an_array_that_has_no_dimension_of_a_vector_is_told(body: str, told: bool):
    text = f"import numpy as np\n\n\ndef f(x):\n    {body}\n"
    report = port_module(parse("f.py", text), Config())
    assert report.after is not None
    found = [one for one in report.findings if one.code == "GP515"]
    assert any("NumPy scalar" in one.message for one in found) is told
