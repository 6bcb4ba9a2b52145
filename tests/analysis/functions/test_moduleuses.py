"""What functions of a module take for arrays is an array where it is handed on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.analysis.values.lattice import Value

Parameters = Callable[..., dict[str, Value]]
Kind = Callable[[Value], str]


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ("def g(a, k): return np.sort(a) * k", "array unknown"),
        ("def g(a, *, k): return a.sum(axis=0) + k", "array unknown"),
        ("def g(a: np.ndarray, k: float): return k", "array unknown"),
        ("def g(a, k): return a * k", "unknown unknown"),
        ("def g(a=None, k=2.0): return a if a is None else np.sort(a)", "unknown unknown"),
        ("def g(a, k): return np.sort(a) if k > 0 else g(a, k - 1)", "array unknown"),
        ("def g(a, k): return h(a)\ndef h(z): return np.sort(z)", "array unknown"),
    ],
)
def test_what_is_handed_to_a_function_that_takes_arrays_is_an_array(
    parameters: Parameters, kind: Kind, called, expected
):
    found = parameters(f"def f(x, n): return g(x, k=n)\n{called}\n")
    assert f"{kind(found['x'])} {kind(found['n'])}" == expected


def test_nothing_is_told_by_calls_that_spread_their_arguments(parameters: Parameters, kind: Kind):
    text = "def f(x, y): return g(*y, x)\ndef g(a, b): return np.sort(a) + np.sort(b)"
    assert kind(parameters(text)["x"]) == "unknown"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("np.cov(x)", "array"),
        ("np.cov(x, rowvar=False)", "array"),
        ("np.flip(x)", "array"),
        ("np.tri(x)", "int"),
        ("np.triu_indices(3, 0, x)", "int"),
    ],
)
def test_what_a_function_works_on_is_an_array_whatever_its_name(
    parameters: Parameters, kind: Kind, body, expected
):
    """The ``m`` of ``cov`` is its data, that of ``triu_indices`` a size."""
    assert kind(parameters(f"def f(x): return {body}")["x"]) == expected


def test_a_name_used_as_an_array_and_as_a_number_is_not_known(parameters: Parameters, kind: Kind):
    """A function that rebinds its parameter says two things of one name."""
    text = "def f(x):\n    x = x.shape[0]\n    return np.eye(x)"
    assert kind(parameters(text)["x"]) == "unknown"
