"""All parameters that meet in one formula are named at the boundary, whichever is an array."""

from __future__ import annotations

import re

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

FORMULAS = {
    "a product of a scaled matrix": ("alpha, A, x", "return alpha * A @ x"),
    "a sum of scaled arrays": ("a, x, y", "return np.sin(x) * a + y * 2.0"),
    "a difference in front of another": ("x, low, high", "return (high - low) * np.exp(x) + low"),
    "by way of a name": ("x, w", "z = -w * 3.0\n    return np.cos(x) + z"),
    "by way of two names": ("x, w", "z = w / 3.0\n    y = z + 1.0\n    return np.cos(x) - y"),
    "changed in place": ("x, w", "x = np.cos(x)\n    x += 2.0 * w\n    return x"),
    "a condition among the arguments": ("x, low", "return np.where(x > low, x - low, 0.0)"),
}
OTHERWISE = {
    "asked for": ("x, w", "z = w * 3.0\n    if z > 1:\n        z = 1.0\n    return np.cos(x) + z"),
    "converted": ("x, w", "z = float(w)\n    return np.cos(x) + z"),
    "an exponent": ("x, n", "m = n ** 2\n    return np.cos(x) ** m"),
}


def named(parameters: str, body: str) -> list[str]:
    text = f"import numpy as np\n\n\ndef f({parameters}):\n    {body}\n"
    report = port_module(parse("program.py", text), Config())
    assert report.after is not None
    found = re.search(r"@device\(([^=)]*)(, \w+=|\))", report.after)
    return [] if found is None else re.findall(r'"(\w+)"', found[1])


@pytest.mark.parametrize("name", FORMULAS)
def test_all_parameters_of_a_formula_are_named(name: str) -> None:
    parameters, body = FORMULAS[name]
    assert named(parameters, body) == parameters.split(", ")


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_has_to_be_a_number_is_not_named(name: str) -> None:
    parameters, body = OTHERWISE[name]
    assert named(parameters, body) == ["x"]
