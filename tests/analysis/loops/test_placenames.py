"""Names that hold places: what is subscripted by them is taken for an array."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.analysis.values.lattice import Value

Parameters = Callable[..., dict[str, Value]]
Kind = Callable[[Value], str]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("j = n - i; y[i] = x[j]", "array"),
        ("j = n - i; y[i] = x[j - 1]", "array"),
        ("j = int(y[i] / 2); y[i] = x[j]", "array"),
        ("j = np.searchsorted(y, i) - 1; j = min(max(j, 0), n - 2); y[i] = x[j]", "array"),
        ("j, k = i // 2, i % 2; y[k] = x[j]", "array"),
        ("j = 0 if i < 1 else i - 1; y[i] = x[j]", "array"),
        ("j = i; j += 1; y[i] = x[j]", "array"),
        ("j = n; y[i] = x[j]", "unknown"),
        ("j = y[i]; y[i] = x[j]", "unknown"),
        ("j = i / 2; y[i] = x[j]", "unknown"),
        ("j = i * 0.5; y[i] = x[j]", "unknown"),
        ("j = 'key'; y[i] = x[j]", "unknown"),
        ("j = i + 1; j = n; y[i] = x[j]", "unknown"),
        ("j = pick(i); y[i] = x[j]", "unknown"),
    ],
)
def test_of_places(parameters: Parameters, kind: Kind, body: str, expected: str):
    source = f"def f(x, y, n):\n    for i in range(n):\n        {body}\n"
    assert kind(parameters(source)["x"]) == expected


def test_a_number_that_no_loop_computes_tells_nothing(parameters: Parameters, kind: Kind):
    source = "def f(x, n):\n    j = n // 2\n    for i in range(n): pass\n    return x[j]\n"
    assert kind(parameters(source)["x"]) == "unknown"


@pytest.mark.parametrize("over", ["np.ndenumerate(x)", "np.nditer(x)"])
def test_what_goes_over_elements_takes_an_array(parameters: Parameters, kind: Kind, over: str):
    assert kind(parameters(f"def f(x):\n    for v in {over}: pass\n")["x"]) == "array"
