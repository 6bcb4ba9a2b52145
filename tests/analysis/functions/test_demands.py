"""Which parameters a boundary asks to be arrays where a value made of several must be one."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ("y = np.exp(-x / h)\n    y *= 2.0", 'require="x"'),
        ("k = np.floor(x / h).astype(int)\n    y = np.bincount(k)", 'require="x"'),
        ("k = np.floor(h / x).astype(int)\n    y = np.bincount(k)", 'require="x"'),
        ("y = np.cos(x if n else h) + np.exp(x - h)\n    y *= 2.0", 'require=("x", "h")'),
        ("h = np.sin(h)\n    y = np.exp(-x / h)\n    y *= 2.0", 'require=("x", "h")'),
        ("y = np.exp(-x / h)\n    y = np.cos(y + np.sin(h))\n    y *= 2.0", 'require=("x", "h")'),
    ],
)
def test_of_parameters_joined_element_by_element_one_is_asked(body: str, asked: str):
    text = f"import numpy as np\n\n\ndef f(x, h, n=0):\n    {body}\n    return y\n"
    after = port_module(parse("f.py", text), Config()).after
    assert after is not None
    assert f'@device("x", "h", {asked}' in after


def test_what_is_an_array_of_64_bits_of_a_number_has_to_be_one():
    """CuPy's ``broadcast_arrays`` leaves numbers as they are."""
    text = "import numpy as np\n\n\ndef f(x, y):\n    x, y = np.broadcast_arrays(x, y)\n"
    text += "    return np.exp(-np.sqrt(np.abs(x))) * y\n"
    after = port_module(parse("f.py", text), Config()).after
    assert after is not None
    assert '@device("x", "y", require=("x", "y"))' in after
