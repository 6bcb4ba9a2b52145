"""One text for float32 and float64 of the texts for each."""

from __future__ import annotations

import pytest

from gpuport.parallel.cuda.generic import generic_text


@pytest.mark.parametrize(
    ("double", "single", "both"),
    [
        ("const double a = x[i];", "const float a = x[i];", "const T a = x[i];"),
        ("y[i] = 0.1 * x[i];", "y[i] = 0.1f * x[i];", "y[i] = 0.1 * x[i];"),
        ("y = 8.685889638 * x;", "y = 8.685889f * x;", "y = 8.685889638 * x;"),
        ("y = h * h * x;", "y = (float)(h * h) * x;", "y = h * h * x;"),
        ("y = x * (0.25 - 1.0);", "y = x * (float)(0.25 - 1.0);", "y = x * (0.25 - 1.0);"),
        ("y = pow(x, h);", "y = pow(x, (float)h);", "y = pow(x, (T)h);"),
        ("s += exp(x - t);", "s += exp((double)(x - t));", "s += exp((double)(x - t));"),
        ("y = t + x[{i, j}];", "y = (float)t + x[{i, j}];", "y = (T)t + x[{i, j}];"),
        ("y = modulo(x, 0.5);", "y = modulo(x, 0.5f);", "y = modulo(x, (T)0.5);"),
        ("y = modulo(k, -0.5);", "y = modulo(k, -0.5);", "y = modulo(k, -(double)0.5);"),
        ("y = py_max(x, 0.5);", "y = py_max(x, 0.5f);", "y = py_max(x, 0.5);"),
        ("y = (double)k / n;", "y = (double)k / n;", "y = (double)k / n;"),
        ("y = (double)k * x;", "y = (float)k * x;", "y = (T)k * x;"),
        (
            "a = x\n    + h * (y - 0.5);",
            "a = x + (float)h * (y - 0.5f);",
            "a = x\n    + h * (y - 0.5);",
        ),
    ],
)
def test_what_differs_by_the_dtype_alone_has_one_text(double: str, single: str, both: str) -> None:
    assert generic_text(double, single, "T", {"h"}) == both


@pytest.mark.parametrize(
    ("double", "single"),
    [
        ("y = x + 1.0;", "y = x + 1;"),
        ("y = 0.1 * x;", "y = 0.2f * x;"),
        ("y = fmod(x, a);", "y = modulo(x, a);"),
        ("double s = x; s += 1;", "double s = x;"),
        ("y = x;", "y = x; z = x;"),
        ("double s = 0.0;\ns += x;", "double s = 0.0;\ns += x;"),
        ("y = long long(x);", "y = float(x);"),
    ],
)
def test_what_differs_otherwise_has_none(double: str, single: str) -> None:
    assert generic_text(double, single, "T", {"h"}) is None
