"""Numbers of the device that nothing can tell from Python's come back as such."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """import math
import numpy as np
{top}
def work(n, name):
    y = np.sin(np.linspace(0.0, 1.0, n)) * 2.0
    z = y.astype(np.{dtype})
    s = z.sum()
{body}

if __name__ == "__main__":
    work(50, "x")
"""


def ported(body: str, dtype: str = "float64", top: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    after = port(PROGRAM.format(body=lines, dtype=dtype, top=top)).after
    assert after is not None
    return after


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("print(z.sum(), s)", "print(float(z.sum()), float(s))"),
        ("print(z.argmax(), z.any())", "print(int(z.argmax()), bool(z.any()))"),
        ("return math.sqrt(z.mean())", "math.sqrt(float(z.mean()))"),
        ("return str(z.max())", "str(float(z.max()))"),
        ("return '{:.2f} {}'.format(z.max(), name)", ".format(float(z.max()), name)"),
        ("m = z.max()\nif m > 3:\n    print(f'{m:.3f}', m, math.exp(m))", "m = float(z.max())"),
        ("return float(z.max())", "return float(z.max())"),
        ("if z.max() > 3:\n    return int(z.sum())", "if z.max() > 3:"),
    ],
)
def test_what_is_printed_compared_and_handed_to_math(body: str, expected: str) -> None:
    after = ported(body)
    assert expected in after
    assert "[()]" not in after
    assert "asnumpy" not in after
    assert "float(float(" not in after


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return repr(z.max())", "repr(cp.asnumpy(z.max())[()])"),
        ("name.append(z.max())", "name.append(cp.asnumpy(z.max())[()])"),
        ("return round(z.max(), 3)", "round(cp.asnumpy(z.max())[()], 3)"),
        ("m = z.max()\nprint(m)\nprint(f'{m}', round(m, 1))", "m = cp.asnumpy(z.max())[()]"),
        ("m = z.max()\nif m > name:\n    print(m)\nreturn round(m)", "m = cp.asnumpy(z.max())[()]"),
    ],
)
def test_what_is_kept_or_shown_as_it_is_keeps_its_type(body: str, expected: str) -> None:
    assert expected in ported(body)


@pytest.mark.parametrize("dtype", ["float32", "complex128", "uint8"])
def test_numbers_that_python_writes_otherwise(dtype: str) -> None:
    assert "print(cp.asnumpy(z.max())" in ported("print(z.max())", dtype)


def test_a_program_that_sets_how_numpy_prints() -> None:
    after = ported("print(z.sum())", top="np.set_printoptions(legacy='1.13')\n")
    assert "print(cp.asnumpy(z.sum()))" in after
