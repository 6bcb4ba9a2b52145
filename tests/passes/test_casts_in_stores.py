"""Numbers that are stored in arrays of integers: what does not fit is told."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np
from numpy.typing import NDArray

def stored(f: NDArray[np.float64], u: NDArray[np.{dtype}], v: np.ndarray):
    {body}
    return np.sqrt(f).sum()
"""


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int8", "int32", "uint64"])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("u[:] = f", True),
        ("u[1:] = f[1:] - 3", True),
        ("u[:] = np.exp(v)", True),
        ("u[:] = 3", False),
        ("u[:] = u * 2", False),
    ],
)
def test_told(body: str, told: bool, dtype: str) -> None:
    module = parse("program.py", PROGRAM.format(body=body, dtype=dtype))
    codes = {finding.code for finding in port_module(module, Config()).findings}
    assert ("GP506" in codes) == told


WHOLE = """import numpy as np
from numpy.typing import NDArray

def stored(f: NDArray[np.{dtype}], a: NDArray[np.int64], x: np.ndarray, k: int):
    {body}
    return np.sqrt(a).sum() + f.sum()
"""


@pytest.mark.parametrize(
    ("body", "dtype", "told"),
    [
        ("f[0] = a.sum()", "int8", True),
        ("f[0] = a.sum()", "uint8", False),
        ("f *= f; f += f; f *= f; f[:2] = [1, 300]", "uint8", True),
        ("f *= f; f += f; f *= f; f[:2] = [-1, 3.5]", "uint8", True),
        ("f *= f; f += f; f *= f; f[:2] = [200, 3.5]", "uint8", False),
        ("f *= f; f += f; f *= f; f[:2] = k, 1", "int16", True),
        ("f *= f; f += f; f *= f; f[:2] = k, 1", "int64", False),
        ("f[0] = a.sum()", "int64", False),
        ("f[0:3] = a[2]", "int32", True),
        ("f[0:3] = a[2:5]", "int32", False),
        ("f[k] = x.max()", "int8", True),
        ("f[0] += a.max()", "int16", True),
        ("f[0] += a.max()", "int64", False),
        ("f[0] = f[1]", "int8", False),
        ("f[0] += 1", "int8", False),
        ("f[0] = k", "int8", False),
        ("f[0] = np.argmax(a > 2)", "int32", True),
        ("f[0] = a[0] > 2", "int8", False),
        ("f[f > 2] = a[2]", "int8", False),
        ("f[[0, 1]] = a[2]", "int8", False),
        ("f.fill(a[0])", "int8", True),
        ("f.fill(0)", "int8", False),
    ],
)
def test_whole_numbers_that_do_not_fit_are_told(body: str, dtype: str, told: bool) -> None:
    """Where NumPy raises OverflowError for a scalar of its own, and CuPy wraps."""
    module = parse("program.py", WHOLE.format(body=body, dtype=dtype))
    codes = {finding.code for finding in port_module(module, Config()).findings}
    assert ("GP522" in codes) == told


def test_elements_made_floating_by_an_operator_are_told() -> None:
    module = parse("program.py", WHOLE.format(body="f[0] *= 1.5", dtype="uint8"))
    assert "GP506" in {finding.code for finding in port_module(module, Config()).findings}


def test_what_waits_for_the_error_keeps_the_host() -> None:
    """An `except` for what NumPy raises there would never be reached."""
    body = "try:\n        f[0] = a.sum()\n    except OverflowError:\n        f[0] = 1"
    report = port_module(parse("program.py", WHOLE.format(body=body, dtype="int8")), Config())
    assert "GP903" in {finding.code for finding in report.findings}


UNKNOWN = """import numpy as np
from numpy.typing import NDArray

def stored(a: np.ndarray, b: np.ndarray, f: NDArray[np.float64], k: int, x: float):
    {body}
    return np.sqrt(a).sum()
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("a[k] = f[k] ** -1", 1),
        ("a[k] = b[k]", 1),
        ("a[k] = x", 1),
        ("a[1:] = b[1:]; a[k] = b[k]", 1),
        ("f[1:] = b[1:]", 0),
        ("a[k] = 3", 0),
        ("a[k] = k", 0),
        ("a[1:] = a[1:] - 2 * a[:-1]", 0),
        ("a[1:] = a[1:] / a[:-1]", 1),
        ("a = np.zeros(4); a[1:] = b[1:]", 0),
    ],
)
def test_stores_where_the_dtype_is_not_known_are_told_once(body: str, told: int) -> None:
    """Random module 999002093: infinity in an array that was one of integers raised in NumPy."""
    module = parse("program.py", UNKNOWN.format(body=body))
    codes = [finding.code for finding in port_module(module, Config()).findings]
    assert codes.count("GP506") == told
