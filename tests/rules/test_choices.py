"""Words that CuPy's functions do not take, and arrays that its scatters do not write into."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

START = """import numpy as np


def f(x: np.ndarray, i: np.ndarray):
    y = np.cos(x) * 2
"""


def codes(body: str) -> set[str]:
    report = port_module(parse("program.py", f"{START}    {body}\n"), Config())
    return {finding.code for finding in report.findings}


@pytest.mark.parametrize(
    "body",
    [
        "return np.percentile(y, 50, method='hazen')",
        "return np.quantile(y, 0.5, 0, method='weibull')",
        "return np.pad(y, 1, 'median')",
        "return np.histogram(y, bins='auto')",
        "return np.sort(y, kind='heapsort')",
        "return y.argsort(-1, 'quicksort')",
        "return y.astype(np.float32, casting='unsafe')",
    ],
)
def test_words_that_cupy_does_not_take(body: str) -> None:
    assert "GP103" in codes(body)


@pytest.mark.parametrize(
    "body",
    [
        "return np.percentile(y, 50, method='lower')",
        "return np.pad(y, 1, 'reflect')",
        "return np.histogram(y, 4)",
        "return np.argsort(y, kind='stable')",
        "return y.astype(np.float32)",
    ],
)
def test_words_that_it_takes(body: str) -> None:
    assert "GP103" not in codes(body)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("np.subtract.at(y, i, 1.0)\n    return y", "GP515"),
        ("y = y.astype(np.complex128)\n    np.maximum.at(y, i, 1.0)\n    return y", "GP515"),
        ("y = y.astype(np.int16)\n    np.maximum.at(y, i, 1)\n    return y", "GP515"),
        ("np.add.at(y, i, 1.0)\n    return y", "GP520"),
    ],
)
def test_scatters(body: str, code: str) -> None:
    assert code in codes(body)


@pytest.mark.parametrize(
    ("name", "dtype", "message"),
    [
        ("subtract", "float64", "cupy.subtract.at only supports int32, uint32, as data type"),
        (
            "maximum", "int16",
            "cupy.maximum.at only supports int32, int64, float32, float64, uint32, uint64 as data "
            "type",
        ),
        (
            "add", "complex128",
            "cupy.add.at only supports int32, int64, float16, float32, float64, uint32, uint64 as "
            "data type",
        ),
    ],
)  # fmt: skip
def test_the_host_backend_refuses_the_same(
    emulated: Any, name: str, dtype: str, message: str
) -> None:
    a = emulated.zeros(3, dtype)
    with pytest.raises(TypeError) as raised:
        getattr(emulated, name).at(a, emulated.array([0]), emulated.ones(1, dtype))
    assert str(raised.value) == message


def test_the_host_backend_takes_no_word_on_casting(emulated: Any) -> None:
    with pytest.raises(TypeError, match="casting is not supported yet"):
        emulated.zeros(3).astype(np.float32, casting="unsafe")
    assert emulated.zeros(3).astype(np.float32, casting=None).dtype == np.float32
